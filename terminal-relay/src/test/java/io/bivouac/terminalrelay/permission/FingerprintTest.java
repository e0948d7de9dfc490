package io.bivouac.terminalrelay.permission;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.PermissionAsked;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FingerprintTest {
    private static PermissionAsked.Builder question() {
        return PermissionAsked.newBuilder()
                .setQuestionId("1")
                .setSource("script")
                .setAction("write")
                .setResource("/etc/hosts")
                .setCwd("/workspace")
                .setInput(ByteString.copyFromUtf8("{}"));
    }

    @Test
    void theSameQuestionAskedAgainIsTheSame() {
        var again = question().setQuestionId("2").setTimeoutSeconds(9).setCommandId("cmd-1");
        assertThat(Fingerprint.of(again.build()))
                .isEqualTo(Fingerprint.of(question().build()));
    }

    @Test
    void whateverIsDifferentIsAnotherQuestion() {
        var prints = Stream.of(
                        question(),
                        question().setSource("codex"),
                        question().setAction("write/"),
                        question().setAction("write/").setResource("etc/hosts"),
                        question().setDescription("x"),
                        question().setCwd("/tmp"),
                        question().setInput(ByteString.copyFromUtf8("{ }")),
                        // Shown the same, after what cannot be shown was replaced.
                        question().setResource("/etc/hosts\u200B"),
                        question().setResource("/etc/hosts\u200C"))
                .map(PermissionAsked.Builder::build)
                .map(Fingerprint::of)
                .toList();
        assertThat(prints).doesNotHaveDuplicates();
    }
}
