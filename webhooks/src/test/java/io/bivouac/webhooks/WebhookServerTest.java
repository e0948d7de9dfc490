package io.bivouac.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** That these settings are enough is shown by the crash tests, which start it with them. */
class WebhookServerTest {
    @Test
    void itNamesAllThatItNeeds() throws Exception {
        var command = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        WebhookServer.class.getName())
                .redirectErrorStream(true);
        command.environment().keySet().removeIf(name -> name.startsWith("BIVOUAC_"));
        var process = command.start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isEqualTo(1);
        var documented = Files.readString(Path.of("../docs/operations.md"));
        assertThat(WebhookServer.missing(Map.of()))
                .contains("BIVOUAC_TOKEN_KEY")
                .allSatisfy(name -> {
                    assertThat(said).contains(name);
                    assertThat(documented).contains("`" + name + "`");
                });
    }

    @Test
    void anEmptyVariableIsMissingAndAFormerNameIsNot() {
        var environment = Map.of(
                "BIVOUAC_DATABASE_URL",
                "jdbc:postgresql://here/db",
                "BIVOUAC_KAFKA_BOOTSTRAP",
                " ",
                "BIVOUAC_TOKEN_KEY",
                "",
                "BIVOUAC_SECRETS_KEY",
                "a");
        assertThat(WebhookServer.missing(environment)).containsExactly("BIVOUAC_KAFKA_BOOTSTRAP", "BIVOUAC_TOKEN_KEY");
    }
}
