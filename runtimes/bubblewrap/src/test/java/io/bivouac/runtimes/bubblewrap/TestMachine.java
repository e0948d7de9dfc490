package io.bivouac.runtimes.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bivouac.runtimes.bubblewrap.linux.Libc;
import io.bivouac.runtimes.bubblewrap.linux.Mounts;
import io.bivouac.sandboxmodel.Resources;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SortableId;
import io.bivouac.sandboxmodel.runtime.Installation;
import io.bivouac.sandboxmodel.runtime.InstanceSpec;
import io.bivouac.sandboxmodel.template.Template;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A data folder and an installation of its own for one test class; at its end nothing of it may be left. */
final class TestMachine implements AutoCloseable {
    private static final Path BUILT = Path.of("../../agent/target/x86_64-unknown-linux-gnu/release/bivouac-agent");

    final Installation installation = new Installation(SortableId.next("test-"), "here");
    final Path data;
    final AgentFiles agent;

    TestMachine() throws IOException {
        assumeTrue(Libc.isRoot(), "sandboxes with ids of their own need root");
        var binary = Path.of(System.getProperty("bivouac.agent.binary", BUILT.toString()));
        assumeTrue(Files.isExecutable(binary), "the agent has not been built");
        assumeTrue(Files.isExecutable(BubblewrapSettings.defaults().bwrap()), "bubblewrap is not installed");
        data = Files.createTempDirectory("bivouac-test");
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwx--x--x"));
        agent = new AgentFiles(binary, TestRelay.sockets());
    }

    BubblewrapRuntime runtime() {
        return runtime(Machine.detect(settings(), agent.binary(), data, installation));
    }

    BubblewrapRuntime runtime(Machine machine) {
        return new BubblewrapRuntime(settings(), agent, installation, machine);
    }

    BubblewrapSettings settings() {
        return settings(4);
    }

    /** @param pool how many disks are made ahead of time */
    BubblewrapSettings settings(int pool) {
        var usual = BubblewrapSettings.defaults();
        return new BubblewrapSettings(
                usual.bwrap(),
                null,
                usual.uidRanges(),
                "bivouac-test",
                usual.pidsLimit(),
                usual.disk(),
                pool,
                usual.diskPoolSize(),
                Duration.ofMillis(5),
                usual.diskReserve());
    }

    /** A sandbox of the host's files that does nothing. */
    static InstanceSpec idle(SandboxId id) {
        var template = new Template(
                "idle",
                "",
                Map.of(BubblewrapRuntime.NAME, Template.HOST_ROOT),
                Map.of(),
                List.of(),
                Resources.DEFAULT,
                List.of("sleep", "600"),
                Map.of());
        return new InstanceSpec(id, "idle", template, Resources.DEFAULT, Map.of(), "token", null);
    }

    /** Takes the pool and kept disks away as an operator would who removes an installation. */
    @Override
    public void close() throws IOException {
        try (var last = runtime()) {
            assertThat(last.list()).isEmpty();
            assertThat(last.keptData()).isEmpty();
            assertThat(Files.list(data.resolve("sandboxes"))).isEmpty();
        }
        for (var mount : Mounts.under(data)) {
            Libc.unmount(mount);
        }
        Removal.delete(data);
        var groups = Machine.cgroupParent(settings(), installation);
        for (var mount : Mounts.all()) {
            if (mount.type().startsWith("cgroup")) {
                Files.deleteIfExists(mount.target().resolve(groups));
                removeIfUnused(mount.target().resolve(groups).getParent());
            }
        }
        assertThat(Mounts.under(data)).isEmpty();
        assertThat(processesNaming(data.toString())).isEmpty();
    }

    /** The parent is shared with other installations under test. */
    private static void removeIfUnused(Path parent) throws IOException {
        try {
            Files.deleteIfExists(parent);
        } catch (java.nio.file.FileSystemException inUse) {
            assertThat(Files.list(parent).filter(Files::isDirectory)).isNotEmpty();
        }
    }

    private static List<String> processesNaming(String text) {
        return ProcessHandle.allProcesses()
                .filter(process -> process.pid() != ProcessHandle.current().pid())
                .flatMap(process -> process.info().commandLine().stream())
                .filter(line -> line.contains("supervise") && line.contains(text))
                .toList();
    }
}
