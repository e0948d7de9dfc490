package io.bivouac.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KilledParentTest {
    @TempDir
    Path folder;

    @Test
    void aKilledParentLeavesNoProcess() throws Exception {
        killedParent();

        Processes.awaitNoneMentioning(folder);
    }

    @Test
    void aStartRightAfterAKillWaitsForWhatIsStillStoppingAndLosesNothing() throws Exception {
        killedParent();

        try (var postgres = EmbeddedPostgres.start(folder.resolve("postgres"), 0);
                var kafka = EmbeddedKafka.start(folder.resolve("kafka"), 0)) {
            assertThat(EmbeddedPostgresTest.query(postgres.url(), "SELECT word FROM kept"))
                    .isEqualTo("kept");
            assertThat(EmbeddedKafkaTest.read(kafka.clientProperties(), 1)).containsExactly("kept");
        }
        Processes.awaitNoneMentioning(folder);
    }

    private void killedParent() throws Exception {
        var parent = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Parent.class.getName(),
                        folder.toString()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            var said = parent.inputReader().lines().takeWhile(line -> !line.equals("both run"));
            assertThat(said.toList()).allMatch(line -> line.contains("WARN"));
            assertThat(Processes.mentioning(folder.resolve("postgres"))).isNotEmpty();
            assertThat(Processes.mentioning(folder.resolve("kafka"))).isNotEmpty();
        } finally {
            parent.destroyForcibly().waitFor();
        }
    }

    /** The JVM that is killed. */
    static final class Parent {
        public static void main(String[] arguments) throws Exception {
            var folder = Path.of(arguments[0]);
            var postgres = EmbeddedPostgres.start(folder.resolve("postgres"), 0);
            var kafka = EmbeddedKafka.start(folder.resolve("kafka"), 0);
            EmbeddedPostgresTest.execute(postgres.url(), "CREATE TABLE kept AS SELECT 'kept' AS word");
            EmbeddedKafkaTest.send(kafka.clientProperties(), "kept");
            System.out.println("both run");
            Thread.sleep(Long.MAX_VALUE);
        }
    }
}
