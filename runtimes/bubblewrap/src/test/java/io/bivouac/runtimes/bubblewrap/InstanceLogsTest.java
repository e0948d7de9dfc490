package io.bivouac.runtimes.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.sandboxmodel.runtime.LogLine;
import io.bivouac.sandboxmodel.runtime.LogQuery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class InstanceLogsTest {
    private static final LogQuery EVERYTHING = new LogQuery(100, null, null);

    @TempDir
    private Path folder;

    private static String line(int second, String text) {
        return "{\"time\":\"2026-01-01T00:00:0" + second + "Z\",\"stream\":\"stdout\",\"text\":\"" + text + "\"}\n";
    }

    private void logs(String before, String current) throws IOException {
        Files.writeString(folder.resolve("agent.jsonl.1"), before);
        Files.writeString(folder.resolve("agent.jsonl"), current);
    }

    @Test
    void bothFilesAreReadInOrder() throws IOException {
        logs(line(1, "a") + line(2, "b"), line(3, "c"));
        assertThat(InstanceLogs.read(folder, EVERYTHING))
                .extracting(LogLine::text)
                .containsExactly("a", "b", "c");
        assertThat(InstanceLogs.read(folder, new LogQuery(2, null, null)))
                .extracting(LogLine::text)
                .containsExactly("b", "c");
    }

    @Test
    void timesBoundTheAnswer() throws IOException {
        logs(line(1, "a") + line(2, "b"), line(3, "c"));
        var second = Instant.parse("2026-01-01T00:00:02Z");
        assertThat(InstanceLogs.read(folder, new LogQuery(9, second, second.plus(Duration.ofMillis(1)))))
                .extracting(LogLine::text)
                .containsExactly("b");
    }

    @Test
    void whatIsNoLogLineIsPassedOver() throws IOException {
        logs("", "garbage\n{\"time\":\"x\"}\n" + line(1, "a") + "{\"cut");
        assertThat(InstanceLogs.read(folder, EVERYTHING))
                .extracting(LogLine::text)
                .containsExactly("a");
    }

    @Test
    @Timeout(10)
    void neitherALinkNorAPipeIsRead() throws Exception {
        var secret = Files.writeString(folder.resolve("secret"), line(1, "secret"));
        Files.createSymbolicLink(folder.resolve("agent.jsonl"), secret);
        new ProcessBuilder("mkfifo", folder.resolve("agent.jsonl.1").toString())
                .start()
                .waitFor();
        assertThat(InstanceLogs.read(folder, EVERYTHING)).isEmpty();
    }

    @Test
    void aHugeLogIsReadFromItsEnd() throws IOException {
        var text = "x".repeat(1000);
        var huge = new StringBuilder();
        while (huge.length() < InstanceLogs.MOST_BYTES + (1 << 20)) {
            huge.append(line(1, text));
        }
        logs("", huge + line(2, "last"));
        assertThat(InstanceLogs.read(folder, new LogQuery(1, null, null)))
                .extracting(LogLine::text)
                .containsExactly("last");
    }
}
