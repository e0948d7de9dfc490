package io.bivouac.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Sandboxes that were started ahead, in a server with real ones. */
class WarmStartsTest {
    private static final int WARM = 2;
    private static final Map<String, String> SETTINGS =
            Map.of("BIVOUAC_WARM_SANDBOXES", Integer.toString(WARM), "BIVOUAC_LIFECYCLE_RECONCILE_EVERY", "2s");
    private static final String ORDER = """
            {"template": "default", "name": "mine", "envs": {"GREETING": "hello"}, "labels": {"a": "b"},
             "resources": {"cpu": 0.5, "memory": "300m"}, "egress": {"allow": ["example.org"]}}""";

    @Test
    void aClaimedSandboxIsAsItsCreateAskedAndLivesAsAnyOther() throws Exception {
        try (var site = CrashSite.open(SETTINGS)) {
            var ahead = filledPool(site);
            assertThat(site.api().sandboxes()).isEmpty();
            assertThat(site.database().states()).isEmpty();

            var created = Api.expect(201, site.api().send("POST", "/api/v1/sandboxes", ORDER));
            var id = Api.text(created, "id");
            assertThat(ahead).contains(id);
            assertThat(timelineOf(created)).containsEntry("warm", true);
            assertThat(Api.text(created, "name")).isEqualTo("mine");
            assertThat(Api.text(created, "egress")).contains("example.org:443");
            assertThat(insideOf(site, id, "echo $GREETING; ls -A /workspace; ls -A /tmp; id -u"))
                    .isEqualTo("hello\n1000\n");
            // Beside the agent only what the command itself has started.
            assertThat(insideOf(site, id, "ls /proc | grep -c '^[0-9]'").strip())
                    .isIn("3", "4", "5");
            assertThat(limitsOf(site, id)).contains(Long.toString(300L << 20));

            Api.expect(200, site.api().stop(id));
            Api.expect(200, site.api().send("POST", "/api/v1/sandboxes/" + id + "/start", ""));
            assertThat(insideOf(site, id, "echo $GREETING")).isEqualTo("hello\n");
            assertThat(limitsOf(site, id)).contains(Long.toString(300L << 20));
            Api.expect(204, site.api().delete(id));
            assertThat(site.traces().sandboxFolders()).doesNotContain(id);

            var otherDisk = Api.expect(
                    201,
                    site.api()
                            .send(
                                    "POST",
                                    "/api/v1/sandboxes",
                                    "{\"template\": \"default\", \"resources\": {\"disk\": \"64m\"}}"));
            assertThat(timelineOf(otherDisk)).containsEntry("warm", false);
            Api.expect(204, site.api().delete(Api.text(otherDisk, "id")));

            var brief = Api.expect(
                    201,
                    site.api()
                            .send(
                                    "POST",
                                    "/api/v1/sandboxes",
                                    "{\"template\": \"default\", \"timeoutSeconds\": 2, \"onExpiry\": \"delete\"}"));
            ServerProcess.await(
                    "the sandbox to expire",
                    () -> !site.traces().sandboxFolders().contains(idOf(brief)));
            site.server().terminate();
            site.server().awaitExit();
            assertThat(Agreement.remains(site.traces()))
                    .as("what a stopped server leaves of its pool")
                    .isEmpty();
        }
    }

    @Test
    void aKilledServersPoolIsGoneAfterTheNextStartAndItsSandboxesAreNot() throws Exception {
        try (var site = CrashSite.open(SETTINGS)) {
            filledPool(site);
            var created = Api.expect(201, site.api().send("POST", "/api/v1/sandboxes", ORDER));
            var claimed = Api.text(created, "id");
            assertThat(timelineOf(created)).containsEntry("warm", true);
            var before = filledPool(site);
            site.kill();
            site.start();
            ServerProcess.await(
                    "the former pool to go", () -> gone(before, site.traces().sandboxFolders()));
            ServerProcess.await(
                    "its groups to go", () -> gone(before, site.traces().groups()));
            assertThat(String.join("\n", site.traces().sandboxProcesses()))
                    .doesNotContain(before.toArray(String[]::new));
            assertThat(filledPool(site)).doesNotContainAnyElementsOf(before);
            assertThat(site.api().sandboxes().keySet()).containsExactly(claimed);
            ServerProcess.await("its agent to be back", () -> answers(site, claimed));
            assertThat(insideOf(site, claimed, "echo $GREETING")).isEqualTo("hello\n");
            assertThat(site.traces().keptFiles()).isEmpty();
            Api.expect(204, site.api().delete(claimed));
            site.server().terminate();
            site.server().awaitExit();
            assertThat(Agreement.remains(site.traces()))
                    .as("what is left of two pools")
                    .isEmpty();
        }
    }

    /** The ids of sandboxes that run and are nobody's, as soon as there are as many as are wanted. */
    private static Set<String> filledPool(CrashSite site) throws Exception {
        ServerProcess.await(WARM + " sandboxes to be ready", () -> readyIn(site) >= WARM);
        var known = site.api().sandboxes().keySet();
        var ahead = new TreeSet<>(site.traces().sandboxFolders());
        ahead.removeAll(known);
        return ahead;
    }

    private static int readyIn(CrashSite site) {
        try {
            var warm = (List<?>) Api.json(Api.expect(200, site.api().send("GET", "/api/v1/stats", "")))
                    .get("warm");
            return ((Number) ((Map<?, ?>) warm.getFirst()).get("ready")).intValue();
        } catch (IOException away) {
            return 0;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return 0;
        }
    }

    private static boolean gone(Set<String> before, List<String> now) {
        return before.stream().noneMatch(now::contains);
    }

    private static boolean answers(CrashSite site, String id) {
        try {
            return site.api().run(id, "true", "").statusCode() == 200;
        } catch (IOException away) {
            return false;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static String insideOf(CrashSite site, String id, String command) throws Exception {
        return Api.text(Api.expect(200, site.api().run(id, command, "")), "stdout");
    }

    private static String idOf(HttpResponse<String> created) {
        try {
            return Api.text(created, "id");
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> timelineOf(HttpResponse<String> created) throws IOException {
        return (Map<String, Object>) Api.json(created).get("timeline");
    }

    /** What its control groups say about memory, whichever version they have. */
    private static List<String> limitsOf(CrashSite site, String id) {
        return site.traces().groupParents().stream()
                .flatMap(parent -> List.of("memory.max", "memory.limit_in_bytes").stream()
                        .map(file -> HostTraces.read(parent.resolve(id).resolve(file))
                                .strip()))
                .filter(text -> !text.isEmpty())
                .toList();
    }
}
