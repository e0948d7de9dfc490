package io.bivouac.sandboxmodel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestTest {
    private static final List<String> FIELDS = List.of("template", "timeoutSeconds", "envs", "labels", "name");

    @Test
    void slipsOfThePenAndBeginningsAreFound() {
        assertThat(Nearest.to("timeout", FIELDS)).contains("timeoutSeconds");
        assertThat(Nearest.to("env", FIELDS)).contains("envs");
        assertThat(Nearest.to("tempalte", FIELDS)).contains("template");
        assertThat(Nearest.to("Labels", FIELDS)).contains("labels");
    }

    @Test
    void wordsThatMeanSomethingElseAreNot() {
        assertThat(Nearest.to("colour", FIELDS)).isEmpty();
        assertThat(Nearest.to("x", FIELDS)).isEmpty();
        assertThat(Nearest.to("name", FIELDS)).isEmpty();
        assertThat(Nearest.to("", FIELDS)).isEmpty();
        assertThat(Nearest.to("n".repeat(10_000), FIELDS)).isEmpty();
    }
}
