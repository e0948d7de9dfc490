package io.bivouac.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Workspaces by NFS, with clients that know nothing of Bivouac. */
class NfsTest {
    @TempDir
    Path outside;

    @Test
    void anExportComesAndGoesWithItsSandboxAndOutlivesKills() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/nfs-cp")), "skipped: the package libnfs-utils is missing");
        try (var site = CrashSite.open(Map.of())) {
            var id = site.api().created();
            var before = nfs(site.api(), id);
            assertThat(String.valueOf(before.get("mountCommand")))
                    .startsWith("mount -t nfs -o vers=3,nolock,")
                    .endsWith("127.0.0.1:/" + id + " /mnt");
            Files.writeString(outside.resolve("note"), "from outside");
            client("nfs-cp", outside.resolve("note").toString(), url(before, "/note"));
            assertThat(output(site.api(), id, "cat /workspace/note && stat -c %u /workspace/note"))
                    .isEqualTo("from outside1000\n");
            output(site.api(), id, "mkdir /workspace/deep && echo from inside > /workspace/deep/reply");
            assertThat(client("nfs-cat", url(before, "/deep/reply"))).contains("from inside");
            assertThat(client("nfs-ls", url(before, "/../../etc"))).contains("ACCES");

            killNfs(site);
            ServerProcess.await("exported again", () -> isReachable(before, "/deep/reply"));

            Api.expect(200, site.api().stop(id));
            assertThat(client("nfs-ls", url(before, ""))).contains("NOENT");
            assertThat(nfs(site.api(), id)).isNull();
            var started = Api.json(Api.expect(200, site.api().send("POST", "/api/v1/sandboxes/" + id + "/start", "")));
            assertThat(started.get("nfs")).isEqualTo(before);
            assertThat(client("nfs-cat", url(before, "/deep/reply"))).contains("from inside");

            site.kill();
            ServerProcess.await(
                    "no NFS process after the kill", () -> nfsProcesses(site).isEmpty());
            site.start();
            ServerProcess.await("exported by the next server", () -> isReachable(before, "/deep/reply"));
            assertThat(nfs(site.api(), id)).isEqualTo(before);
            Api.expect(204, site.api().delete(id));
            assertThat(client("nfs-ls", url(before, ""))).contains("NOENT");
            site.server().terminate();
            site.server().awaitExit();
            assertThat(nfsProcesses(site)).isEmpty();
        }
    }

    @Test
    void theLinuxClientMountsWithThePrintedCommandAndLosesNothing() throws Exception {
        var obstacle = LinuxNfsClient.obstacle();
        assumeTrue(obstacle.isEmpty(), () -> "skipped: " + obstacle.orElseThrow());
        try (var linux = LinuxNfsClient.make(outside);
                var site = CrashSite.open(
                        Map.of("BIVOUAC_NFS_HOST", linux.hostAddress(), "BIVOUAC_NFS_ALLOW", linux.network()))) {
            var api = site.api();
            var id = api.created();
            output(api, id, "echo from inside > /workspace/reply");
            var mount = String.valueOf(nfs(api, id).get("mountCommand"));
            assertThat(linux.run(ORDINARY_WORK.replace("MOUNT", mount), "KILL-NOW", () -> killNfs(site)))
                    .contains("from inside", "tar agrees", "integrity ok", "links 2", "all done");
            assertThat(output(api, id, "cd /workspace && cat made-outside && sha256sum -c sums --quiet && echo same"))
                    .isEqualTo("outside\nsame\n");
            assertThat(output(
                            api, id, "cd /workspace/repository && git -c safe.directory=* fsck && git log --format=%s"))
                    .isEqualTo("first\n");
            // A program that was just written outside runs inside.
            assertThat(output(api, id, "/workspace/program")).isEqualTo("it runs\n");
            Api.expect(204, api.delete(id));
        }
    }

    /** The server dies in the middle, with data that the client has not written yet. */
    private static final String ORDINARY_WORK = """
            set -e
            MOUNT
            cd /mnt
            cat reply
            echo outside > made-outside
            export HOME=/tmp
            git init -q repository && cd repository
            git config user.email a@example.org && git config user.name a
            for n in 1 2 3 4 5 6 7 8 9; do echo $n > $n; done
            git add . && git commit -qm first && cd ..
            tar cf /tmp/all.tar repository && mkdir again && tar xf /tmp/all.tar -C again
            diff -r repository again/repository && echo tar agrees
            sqlite3 base 'create table t(a); insert into t values(1),(2);'
            echo integrity $(sqlite3 base 'pragma integrity_check;')
            echo linked > a && ln a b && echo links $(stat -c %h a)
            printf '#!/bin/sh\\necho it runs\\n' > program && chmod 755 program
            dd if=/dev/urandom of=dirty-1 bs=64k count=60 2>/dev/null
            echo KILL-NOW
            dd if=/dev/urandom of=dirty-2 bs=64k count=60 2>/dev/null
            sync
            sha256sum dirty-1 dirty-2 > sums
            cd / && umount /mnt
            echo all done
            """;

    private static Map<?, ?> nfs(Api api, String id) throws IOException, InterruptedException {
        return (Map<?, ?>) Api.json(Api.expect(200, api.send("GET", "/api/v1/sandboxes/" + id, "")))
                .get("nfs");
    }

    private static String output(Api api, String id, String command) throws IOException, InterruptedException {
        return Api.text(Api.expect(200, api.run(id, command, "")), "stdout");
    }

    private static String url(Map<?, ?> nfs, String path) {
        var port = nfs.get("port");
        return "nfs://%s%s%s?nfsport=%s&mountport=%s&version=3"
                .formatted(nfs.get("host"), nfs.get("path"), path, port, port);
    }

    private static boolean isReachable(Map<?, ?> nfs, String path) {
        try {
            return client("nfs-cat", url(nfs, path)).contains("from inside");
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static String client(String... words) throws IOException, InterruptedException {
        var process = new ProcessBuilder(words).redirectErrorStream(true).start();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output;
    }

    private static List<ProcessHandle> nfsProcesses(CrashSite site) {
        return ServerProcess.childrenOf(site.data.resolve("nfs/config.json")).stream()
                .flatMap(pid -> ProcessHandle.of(pid).stream())
                .toList();
    }

    private static void killNfs(CrashSite site) {
        var running = nfsProcesses(site);
        assertThat(running).hasSize(1);
        running.forEach(ProcessHandle::destroyForcibly);
    }
}
