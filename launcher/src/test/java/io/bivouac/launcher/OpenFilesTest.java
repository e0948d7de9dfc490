package io.bivouac.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server that can open no more files: it refuses, loses nothing, and leaves nothing behind. */
class OpenFilesTest {
    private static final Map<String, String> SETTINGS = Map.of(
            "BIVOUAC_LIFECYCLE_RECONCILE_EVERY", "1s",
            "BIVOUAC_LIFECYCLE_START_TIMEOUT", "20s",
            // Nothing may be left of the host's own.
            "BIVOUAC_WARM_SANDBOXES", "0");

    @Test
    @Tag("soak")
    void createsThatFailForWantOfDescriptorsLeaveNothing() throws Exception {
        try (var site = CrashSite.open(SETTINGS)) {
            var survivor = site.api().created();
            var usual = descriptors(site);
            for (int more : List.of(0, 2, 4, 8, 14, 24)) {
                limit(site, Math.max(usual, descriptors(site)) + more);
                var answer = attempt(site);
                assertThat(answer).as("with %d more descriptors", more).doesNotContain(site.data.toString());
                limit(site, 10_000);
            }
            ServerProcess.await("the server is ready", () -> site.api().isReady());
            assertThat(site.api().sandboxes().get(survivor)).containsEntry("state", "running");
            for (var id : site.api().sandboxes().keySet()) {
                Api.expect(204, site.api().delete(id));
            }
            ServerProcess.await(
                    "no used disk is left", () -> site.traces().usedDisks().isEmpty());
            ServerProcess.await(
                    "no folder is left", () -> site.traces().sandboxFolders().isEmpty());
            assertThat(site.traces().groups()).isEmpty();
            assertThat(site.traces().sandboxProcesses()).isEmpty();
            site.server().terminate();
            site.server().awaitExit();
            assertThat(Agreement.remains(site.traces())).isEmpty();
        }
    }

    private static String attempt(CrashSite site) throws InterruptedException {
        try {
            return site.api().create().body();
        } catch (java.io.IOException notEvenAConnection) {
            return "";
        }
    }

    private static int descriptors(CrashSite site) throws Exception {
        try (var open = Files.list(Path.of("/proc/" + site.server().pid() + "/fd"))) {
            return (int) open.count();
        }
    }

    private static void limit(CrashSite site, int files) throws Exception {
        var command = List.of("prlimit", "--pid", Long.toString(site.server().pid()), "--nofile=" + files + ":");
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }
}
