package io.bivouac.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a person sees who cannot start the server: one line each. */
class RefusalTest {
    @TempDir
    Path folder;

    @Test
    void anUnknownOption() throws Exception {
        try (var server = ServerProcess.start(folder, Map.of(), "--colour")) {
            assertThat(server.awaitExit()).isEqualTo(2);
            assertThat(server.output())
                    .isEqualTo("bivouac-server: Unknown option --colour. Try: bivouac-server --help\n");
        }
    }

    @Test
    void helpAndVersion() throws Exception {
        try (var help = ServerProcess.start(folder, Map.of(), "--help");
                var version = ServerProcess.start(folder, Map.of(), "--version")) {
            assertThat(help.awaitExit()).isZero();
            assertThat(help.output()).contains("BIVOUAC_DATA_DIR", "BIVOUAC_API_KEY", "--config FILE");
            assertThat(version.awaitExit()).isZero();
            assertThat(version.output()).matches("bivouac-server \\d+\\.\\d+\\.\\d+\n");
        }
    }

    @Test
    void aTakenPort() throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"));
                var server = ServerProcess.start(folder, Map.of("BIVOUAC_PORT", "" + taken.getLocalPort()))) {
            assertThat(server.awaitExit()).isEqualTo(1);
            assertThat(server.output())
                    .startsWith("bivouac-server: Port %d on 127.0.0.1 cannot be used".formatted(taken.getLocalPort()))
                    .contains("BIVOUAC_PORT")
                    .hasLineCount(1);
        }
    }

    @Test
    void aFolderThatIsNone() throws Exception {
        var file = Files.writeString(folder.resolve("file"), "");
        try (var server = ServerProcess.start(file.resolve("data"), Map.of())) {
            assertThat(server.awaitExit()).isEqualTo(1);
            assertThat(server.output())
                    .contains("The data folder " + file.resolve("data") + " is not writable")
                    .contains("BIVOUAC_DATA_DIR")
                    .hasLineCount(1);
        }
    }

    @Test
    void aFolderThatIsReadOnly() throws Exception {
        assumeTrue(!"root".equals(System.getProperty("user.name")), "root may write everywhere");
        var closed = Files.createDirectory(folder.resolve("closed"));
        closed.toFile().setWritable(false);
        try (var server = ServerProcess.start(closed, Map.of())) {
            assertThat(server.awaitExit()).isEqualTo(1);
            assertThat(server.output()).contains("is not writable").hasLineCount(1);
        }
    }

    @Test
    void dataOfANewerVersion() throws Exception {
        Files.writeString(folder.resolve("version"), "99\n");
        try (var server = ServerProcess.start(folder, Map.of())) {
            assertThat(server.awaitExit()).isEqualTo(1);
            assertThat(server.output())
                    .contains("newer Bivouac (data version 99")
                    .hasLineCount(1);
        }
    }
}
