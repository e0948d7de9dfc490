package io.bivouac.sandboxio.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.agentlink.testing.RealAgent;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.agentlink.testing.Wait;
import io.bivouac.sandboxmodel.SandboxId;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What changes in a folder. */
class FileWatchTest {
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

    private static FilesOverHttp files() {
        return new FilesOverHttp(relay.url() + "/api/v1/sandboxes/" + id + "/files", TestRelay.KEY);
    }

    /** The lines of a watch as they come. */
    private record Watch(InputStream body, BufferedReader reader, List<String> lines) implements AutoCloseable {
        static Watch open(String path) {
            var response = files().open("/watch", "path=" + path + "&recursive=true");
            assertThat(response.statusCode()).isEqualTo(200);
            var reader = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
            var watch = new Watch(response.body(), reader, new CopyOnWriteArrayList<>());
            Thread.ofVirtual().start(watch::read);
            Wait.until(() -> watch.lines.contains(": ping"));
            return watch;
        }

        private void read() {
            try {
                for (var line = reader.readLine(); line != null; line = reader.readLine()) {
                    lines.add(line);
                }
            } catch (IOException closed) {
                lines.add("closed");
            }
        }

        void await(String type, String path) {
            Wait.until(() -> lines.stream()
                    .anyMatch(line -> line.contains("\"type\":\"" + type + "\"") && line.contains(path + "\"")));
        }

        @Override
        public void close() throws IOException {
            // Not the reader: the thread that reads holds its lock.
            body.close();
        }
    }

    @Test
    void filesThatComeChangeMoveAndGoAreTold() throws IOException {
        var folder = Files.createDirectories(agent.workspace().resolve("watched/below"));
        var watched = folder.getParent();
        try (var watch = Watch.open("watched")) {
            Files.writeString(watched.resolve("new"), "x");
            watch.await("created", "/watched/new");
            watch.await("changed", "/watched/new");
            Files.writeString(folder.resolve("deep"), "x");
            watch.await("created", "/watched/below/deep");
            Files.move(watched.resolve("new"), folder.resolve("moved"), StandardCopyOption.ATOMIC_MOVE);
            watch.await("moved", "/watched/below/moved");
            Files.createDirectories(watched.resolve("later/still"));
            Files.writeString(watched.resolve("later/still/there"), "x");
            watch.await("created", "/watched/later/still/there");
            Files.delete(folder.resolve("deep"));
            watch.await("removed", "/watched/below/deep");
            files().put("watched/uploaded", "x");
            watch.await("created", "/watched/uploaded");
        }
    }

    @Test
    void aWatchThatIsLeftGivesItsPlaceBack() throws IOException {
        Files.createDirectories(agent.workspace().resolve("often"));
        for (int i = 0; i < 20; i++) {
            Watch.open("often").close();
        }
    }

    @Test
    void onlyAFolderIsWatched() throws IOException {
        Files.writeString(agent.workspace().resolve("plain"), "x");
        assertThat(files().get("/watch", "plain").code()).isEqualTo(3003);
        assertThat(files().get("/watch", "missing").code()).isEqualTo(3001);
    }
}
