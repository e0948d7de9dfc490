package io.bivouac.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** A server that is asked to stop leaves the machine as it was, but for the sandboxes that go on. */
class CleanStopTest {
    @Test
    void onlyRunningSandboxesAreLeft() throws Exception {
        try (var site = CrashSite.open(Map.of())) {
            ServerProcess.await(
                    "the pool of disks has mounts", () -> site.traces().mounts().size() > 1);
            var counting = CountingCommand.start(site.api());
            stop(site);
            assertThat(site.server().output())
                    .contains("Stopping… 1 sandbox keeps running; the next start picks it up.")
                    .endsWith("Stopped.\n");
            assertThat(site.traces().mounts())
                    .as("mounts, with one sandbox running: its disk, and the one that all disks are below")
                    .hasSize(2);
            assertThat(site.traces().process(counting.sandbox(), "init.pid"))
                    .as("its agent")
                    .isPresent();

            site.start();
            counting.goesOn(site.api());
            Api.expect(204, site.api().delete(counting.sandbox()));
            stop(site);
            assertThat(Agreement.remains(site.traces())).as("with no sandbox").isEmpty();

            site.start();
            Api.expect(204, site.api().delete(site.api().created()));
            aKeptWorkspaceIsTakenOver(site.api());
            anExpiredSandboxIsNotStarted(site.api());
        }
    }

    private static void aKeptWorkspaceIsTakenOver(Api api) throws Exception {
        var first = api.created();
        Api.expect(200, api.run(first, "echo mine > /workspace/note", ""));
        Api.expect(204, api.delete(first + "?keepWorkspace=true"));
        var heir = Api.text(
                Api.expect(
                        201,
                        api.send(
                                "POST",
                                "/api/v1/sandboxes",
                                "{\"template\": \"default\", \"workspace\": \"" + first + "\"}")),
                "id");
        assertThat(Api.text(api.run(heir, "cat /workspace/note", ""), "stdout")).isEqualTo("mine\n");
        Api.expect(204, api.delete(heir + "?keepWorkspace=false"));
        assertThat(api.send("GET", "/api/v1/workspaces", "").body()).contains("\"items\":[]");
    }

    private static void anExpiredSandboxIsNotStarted(Api api) throws Exception {
        var id = Api.text(
                Api.expect(
                        201,
                        api.send("POST", "/api/v1/sandboxes", "{\"template\": \"default\", \"timeoutSeconds\": 1}")),
                "id");
        ServerProcess.await("it has expired", () -> "expired".equals(stopReasonOf(api, id)));
        var refused = Api.expect(409, api.send("POST", "/api/v1/sandboxes/" + id + "/start", ""));
        assertThat(Api.text(refused, "detail")).contains("expired");
        Api.expect(204, api.delete(id));
    }

    private static String stopReasonOf(Api api, String id) {
        try {
            return Api.text(api.send("GET", "/api/v1/sandboxes/" + id, ""), "stopReason");
        } catch (java.io.IOException | InterruptedException failed) {
            return "";
        }
    }

    private static void stop(CrashSite site) throws Exception {
        long started = System.nanoTime();
        site.server().terminate();
        assertThat(site.server().awaitExit()).isEqualTo(143); // 128 + TERM
        System.out.printf("stopped within %d ms%n", (System.nanoTime() - started) / 1_000_000);
    }
}
