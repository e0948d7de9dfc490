package io.bivouac.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two servers of one installation that share no folder, as on two machines: their relays meet by TLS. */
class TwoMachinesTest {
    private static final String KEY = "bvk_twomachines0000000000000000000000000";

    @TempDir
    Path folder;

    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void eitherServerReachesTheOthersSandboxesAlsoAfterThatOneWasKilled() throws Exception {
        try (var stack = ExternalStack.start(folder)) {
            try (var one = start("one", stack);
                    var two = start("two", stack)) {
                var sandbox = api(one).created();
                assertThat(Files.readString(folder.resolve("one/agent-authority.pem")))
                        .startsWith("-----BEGIN CERTIFICATE-----")
                        .isEqualTo(Files.readString(folder.resolve("two/agent-authority.pem")));
                assertThat(run(two, sandbox, "echo $((6 * 7))")).isEqualTo("42\n");

                one.kill();
                try (var again = start("one", stack)) {
                    ServerProcess.await("the agent is back", () -> succeeds(two, sandbox));
                    assertThat(run(two, sandbox, "echo still here")).isEqualTo("still here\n");
                    Api.expect(204, api(again).delete(sandbox));
                    again.terminate();
                    again.awaitExit();
                }
            }
        }
    }

    private ServerProcess start(String name, ExternalStack stack) throws IOException, InterruptedException {
        Map<String, String> settings = new HashMap<>(stack.settings());
        settings.put("BIVOUAC_API_KEY", KEY);
        settings.put("BIVOUAC_TOKEN_KEY", "bm90LWEtc2VjcmV0LWp1c3QtYS10ZXN0LWtleS0wMDE=");
        settings.put("BIVOUAC_ENCRYPTION_KEY", "bm90LWEtc2VjcmV0LWp1c3QtYS10ZXN0LWtleS0wMDE=");
        settings.put("BIVOUAC_AGENT_PORT", "0");
        settings.put("BIVOUAC_AGENT_HOST", "127.0.0.1");
        // One that is killed and not started again leaves no mounts.
        settings.put("BIVOUAC_BUBBLEWRAP_DISK", "folder");
        settings.put("BIVOUAC_HOST_NAME", name);
        return ServerProcess.start(folder.resolve(name), settings).awaitReady();
    }

    private Api api(ServerProcess server) throws IOException {
        return new Api(client, server.valueOf("Console"), KEY);
    }

    private String run(ServerProcess server, String sandbox, String command) throws IOException, InterruptedException {
        return Api.text(Api.expect(200, api(server).run(sandbox, command, "")), "stdout");
    }

    private boolean succeeds(ServerProcess server, String sandbox) {
        try {
            return api(server).run(sandbox, "true", "").statusCode() == 200;
        } catch (IOException | InterruptedException notYet) {
            return false;
        }
    }
}
