package io.bivouac.launcher;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two servers of one house, on one machine: a terminal outlives either of them. */
class TwoRelaysTest {
    private static final String KEY = "bvk_tworelays000000000000000000000000000";

    @TempDir
    Path folder;

    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void whenARelayIsKilledItsAgentAndItsClientMoveToTheOther() throws Exception {
        try (var stack = ExternalStack.start(folder)) {
            var shared = shared(stack);
            try (var one = start("one", shared);
                    var two = start("two", shared)) {
                var sandbox = api(one).created();
                var made = Api.json(Api.expect(
                        201, api(two).send("POST", "/api/v1/sandboxes/" + sandbox + "/pty", "{\"command\":\"cat\"}")));
                var path = "/api/v1/sandboxes/" + sandbox + "/pty/" + made.get("id");
                var first = attach(two, path, "");
                first.type(1, "a\n");
                first.await("a\r\na\r\n"::equals);

                one.kill();
                var second = attach(two, path, "&from=6");
                second.type(1, "a\n");
                second.type(2, "b\n");
                second.await("b\r\nb\r\n"::equals);

                // Whichever relay the agent had, now it is the one that is killed.
                try (var again = start("one", shared)) {
                    two.kill();
                    var third = attach(again, path, "&from=12");
                    third.type(2, "b\n");
                    third.type(3, "c\n");
                    third.await("c\r\nc\r\n"::equals);
                    Api.expect(204, api(again).send("DELETE", path, ""));
                    third.awaitClose();
                    Api.expect(204, api(again).delete(sandbox));
                    again.terminate();
                    again.awaitExit();
                }
            }
        }
    }

    private Map<String, String> shared(ExternalStack stack) {
        var shared = new HashMap<>(stack.settings());
        shared.put("BIVOUAC_API_KEY", KEY);
        shared.put("BIVOUAC_TOKEN_KEY", "bm90LWEtc2VjcmV0LWp1c3QtYS10ZXN0LWtleS0wMDE=");
        shared.put("BIVOUAC_ENCRYPTION_KEY", "bm90LWEtc2VjcmV0LWp1c3QtYS10ZXN0LWtleS0wMDE=");
        shared.put("BIVOUAC_AGENT_SOCKET_FOLDER", folder.resolve("agents").toString());
        return shared;
    }

    private ServerProcess start(String name, Map<String, String> shared) throws IOException, InterruptedException {
        var settings = new HashMap<>(shared);
        // One that is killed and not started again leaves no mounts.
        settings.put("BIVOUAC_BUBBLEWRAP_DISK", "folder");
        settings.put("BIVOUAC_HOST_NAME", name);
        return ServerProcess.start(folder.resolve(name), settings).awaitReady();
    }

    private Api api(ServerProcess server) throws IOException {
        return new Api(client, server.valueOf("Console"), KEY);
    }

    /** The agent may need a moment to find the relay that is left. */
    private TerminalClient attach(ServerProcess server, String path, String more)
            throws IOException, InterruptedException {
        var api = api(server);
        ServerProcess.await("the agent is back", () -> {
            try {
                return api.send("POST", path + "/ticket", "").statusCode() == 200
                        && api.send("POST", path + "/resize", "{\"cols\":80,\"rows\":24}")
                                        .statusCode()
                                == 200;
            } catch (IOException | InterruptedException notYet) {
                return false;
            }
        });
        var ticket = Api.json(Api.expect(200, api.send("POST", path + "/ticket", "")));
        return TerminalClient.open(
                "ws" + api.url().substring(4) + path + "/ws?source=me" + more, TerminalClient.protocols(ticket));
    }
}
