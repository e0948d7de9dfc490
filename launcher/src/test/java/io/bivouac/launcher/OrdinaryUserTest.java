package io.bivouac.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A server without root's rights: what the kernel allows works, and the rest is said and not promised. */
class OrdinaryUserTest {
    private static final Map<String, String> SETTINGS = Map.of("BIVOUAC_LIFECYCLE_RECONCILE_EVERY", "2s");

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @Test
    void withFurtherIdsItsSandboxesHaveUsersOfTheirOwn() throws Exception {
        try (var user = OrdinaryUser.withSubordinateIds()) {
            use(user, api -> {
                var id = api.created();
                assertThat(output(api, id, "id -u", "")).isEqualTo("1000\n");
                assertThat(output(api, id, "id -u", ", \"user\": \"root\"")).isEqualTo("0\n");
                assertThat(exitCode(api, id, "cat /run/bivouac/token")).isNotZero();
                // What another id owns and closes must not be in the way of its removal.
                output(api, id, "mkdir -m 700 /workspace/mine && touch /workspace/mine/file", "");
                output(api, id, "mkdir -m 700 /tmp/mine && touch /tmp/mine/file", "");
                assertThat(notes(api)).noneMatch(note -> note.contains("one user only"));
                Api.expect(204, api.send("DELETE", "/api/v1/sandboxes/" + id + "?keepWorkspace=true", ""));
                var body = "{\"template\": \"default\", \"workspace\": \"" + id + "\"}";
                var next = Api.text(Api.expect(201, api.send("POST", "/api/v1/sandboxes", body)), "id");
                assertThat(output(api, next, "ls /workspace/mine; ls /tmp", "")).isEqualTo("file\n");
            });
        }
    }

    @Test
    void withOneIdItSaysWhatItCannotDoAndWhatRunsSurvivesTheServer() throws Exception {
        try (var user = OrdinaryUser.withOneId()) {
            String survivor;
            try (var server = user.start(SETTINGS).awaitReady()) {
                var api = api(user, server);
                survivor = api.created();
                output(api, survivor, "echo mine > /workspace/note", "");
                server.kill();
            }
            use(user, api -> {
                ServerProcess.await("its agent is back", () -> exitCode(api, survivor, "cat /workspace/note") == 0);
                var id = survivor;
                var refused = api.run(id, "id", ", \"user\": \"root\"");
                assertThat(Api.json(refused)).containsEntry("name", "UNSUPPORTED_BY_RUNTIME");
                assertThat(notes(api)).anyMatch(note -> note.contains("one user only"));
                assertThat(exitCode(api, id, "cat /proc/1/environ")).isNotZero();
            });
        }
    }

    private interface Use {
        void of(Api api) throws Exception;
    }

    /** In both cases: what is not enforced is refused, and nothing is left. */
    private void use(OrdinaryUser user, Use use) throws Exception {
        try (var server = user.start(SETTINGS).awaitReady()) {
            var api = api(user, server);
            assertThat(notes(api)).anyMatch(note -> note.contains("disk space is not enforced"));
            assertThat(server.output())
                    .contains("Not as it should be here")
                    .contains("loop devices: The limit on disk space is not enforced");
            var asked = "{\"template\": \"default\", \"resources\": {\"disk\": \"1g\"}}";
            Api.expect(422, api.send("POST", "/api/v1/sandboxes", asked));
            use.of(api);
            for (var id : api.sandboxes().keySet()) {
                Api.expect(204, api.delete(id));
            }
            server.terminate();
            server.awaitExit();
        }
        assertThat(entries(user.data().resolve("sandboxes"))).isEmpty();
        assertThat(entries(user.data().resolve("disks"))).isEmpty();
    }

    private Api api(OrdinaryUser user, ServerProcess server) throws IOException {
        var key = Files.readString(user.data().resolve("api-key")).strip();
        return new Api(client, server.valueOf("Console"), key);
    }

    private static List<String> notes(Api api) throws Exception {
        var stats = Api.json(Api.expect(200, api.send("GET", "/api/v1/stats", "")));
        var notes = (List<?>) ((Map<?, ?>) stats.get("runtime")).get("notes");
        return notes.stream().map(String::valueOf).toList();
    }

    private static String output(Api api, String id, String command, String more) throws Exception {
        var run = Api.expect(200, api.run(id, command, more));
        assertThat(Api.json(run)).as(run.body()).containsEntry("exitCode", 0);
        return Api.text(run, "stdout");
    }

    private static int exitCode(Api api, String id, String command) {
        try {
            var run = api.run(id, command, "");
            return run.statusCode() == 200 ? Integer.parseInt(Api.text(run, "exitCode")) : -1;
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<Path> entries(Path folder) throws IOException {
        try (var entries = Files.list(folder)) {
            return entries.toList();
        }
    }
}
