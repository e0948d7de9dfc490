package io.bivouac.sandboxio.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.agentlink.testing.RealAgent;
import io.bivouac.agentlink.testing.RelayProcess;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.agentlink.testing.Wait;
import io.bivouac.sandboxmodel.SandboxId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Uploads that are cut, by the client, the server or the agent. */
class FileBreaksTest {
    private static final int SIZE = 600_000;

    private static TestRelay relay;
    private static SandboxId id;
    private static RealAgent agent;

    @BeforeAll
    static void start() {
        relay = TestRelay.start();
        id = relay.sandbox();
        agent = relay.agent(id);
        Wait.until(() -> files().get("/stat", "/").status() == 200);
    }

    @AfterAll
    static void stop() {
        agent.close();
        relay.close();
    }

    private static String base(String url) {
        return url + "/api/v1/sandboxes/" + id + "/files";
    }

    private static FilesOverHttp files() {
        return new FilesOverHttp(base(relay.url()), TestRelay.KEY);
    }

    private static byte[] contents(char letter) {
        var bytes = new byte[SIZE];
        Arrays.fill(bytes, (byte) letter);
        return bytes;
    }

    /** Sends so much of an upload and leaves it open. */
    private static Socket upload(String url, String path, int sent, String... headers) throws IOException {
        var at = URI.create(url);
        var socket = new Socket(InetAddress.getLoopbackAddress(), at.getPort());
        var head =
                "PUT " + URI.create(base(url)).getPath() + "/content?path=" + path + " HTTP/1.1\r\nHost: localhost\r\n"
                        + "X-API-Key: " + TestRelay.KEY + "\r\nContent-Length: " + SIZE + "\r\n"
                        + String.join("", headers) + "\r\n";
        socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().write(contents('n'), 0, sent);
        socket.getOutputStream().flush();
        return socket;
    }

    private static void assertOldOrNewAndNothingElse(Path folder) throws IOException {
        try (var entries = Files.list(folder)) {
            assertThat(entries.map(Path::getFileName).map(Path::toString)).containsExactly("file");
        }
        var seen = Files.readAllBytes(folder.resolve("file"));
        assertThat(Arrays.equals(seen, contents('o')) || Arrays.equals(seen, contents('n')))
                .isTrue();
    }

    private static Path prepared(String name) throws IOException {
        var folder = Files.createDirectories(agent.workspace().resolve(name));
        Files.write(folder.resolve("file"), contents('o'));
        return folder;
    }

    @Test
    void aHundredUploadsThatAreCutLeaveTheOldFileOrTheNewOne() throws IOException {
        var folder = prepared("cut");
        var random = new Random(1);
        for (int i = 0; i < 100; i++) {
            upload(relay.url(), "cut/file", random.nextInt(SIZE + 1)).close();
            assertOldOrNewAndNothingElse(folder);
        }
        // All places are free again.
        Wait.until(() -> files().put("cut/file", "whole").status() == 200);
        try (var entries = Files.list(folder)) {
            assertThat(entries).hasSize(1);
        }
    }

    @Test
    void anUploadInPartsThatIsCutGoesOn() throws IOException {
        prepared("parts");
        var range = "Content-Range: bytes 0-" + (SIZE - 1) + "/" + SIZE + "\r\n";
        upload(relay.url(), "parts/file", SIZE / 2, range).close();
        var ask = new String[] {"Content-Range", "bytes */" + SIZE};
        Wait.until(() -> received(ask) > 0);
        int received = received(ask);
        assertThat(received).isLessThanOrEqualTo(SIZE / 2);
        var rest = "n".repeat(SIZE - received);
        var whole =
                files().put("parts/file", rest, "Content-Range", "bytes %d-%d/%d".formatted(received, SIZE - 1, SIZE));
        assertThat(whole.status()).isEqualTo(200);
        assertThat(Arrays.equals(Files.readAllBytes(agent.workspace().resolve("parts/file")), contents('n')))
                .isTrue();
    }

    private static int received(String... ask) {
        return files().put("parts/file", "", ask).json().get("received").getIntValue();
    }

    @Test
    void aServerThatIsKilledLeavesTheOldFile() throws IOException {
        var folder = prepared("killed");
        try (var other = RelayProcess.start(
                Map.of("bivouac.agent.socket-folder", relay.sockets().toString()))) {
            var url = other.http().base();
            Wait.until(() -> new FilesOverHttp(base(url), TestRelay.KEY)
                            .get("/stat", "/")
                            .status()
                    == 200);
            try (var _ = upload(url, "killed/file", SIZE / 2)) {
                other.kill();
            }
        }
        assertOldOrNewAndNothingElse(folder);
        assertThat(files().put("killed/file", "after").status()).isEqualTo(200);
    }

    @Test
    void anAgentThatIsKilledLeavesTheOldFile() throws IOException {
        var mortal = relay.sandbox();
        try (var dying = relay.agent(mortal)) {
            var there = relay.url() + "/api/v1/sandboxes/" + mortal + "/files";
            Wait.until(() ->
                    new FilesOverHttp(there, TestRelay.KEY).get("/stat", "/").status() == 200);
            Files.write(dying.workspace().resolve("file"), contents('o'));
            var at = URI.create(there);
            try (var socket = new Socket(InetAddress.getLoopbackAddress(), at.getPort())) {
                var head = "PUT " + at.getPath() + "/content?path=file HTTP/1.1\r\nHost: localhost\r\nX-API-Key: "
                        + TestRelay.KEY + "\r\nContent-Length: " + SIZE + "\r\n\r\n";
                socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
                socket.getOutputStream().write(contents('n'), 0, SIZE / 2);
                dying.signal("KILL");
                assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
                        .isEqualTo("HTTP/1.1 503");
            }
            assertOldOrNewAndNothingElse(dying.workspace());
        }
    }
}
