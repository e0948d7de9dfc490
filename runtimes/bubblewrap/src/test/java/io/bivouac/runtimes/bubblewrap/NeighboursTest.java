package io.bivouac.runtimes.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.runtimes.bubblewrap.linux.HostProcess;
import io.bivouac.sandboxmodel.SandboxId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the start of a sandbox has to do with those that are there already. */
class NeighboursTest {
    private final SandboxId first = SandboxId.next();
    private final SandboxId second = SandboxId.next();
    private TestMachine machine;
    private BubblewrapRuntime runtime;

    @BeforeEach
    void start() throws IOException {
        machine = new TestMachine();
        runtime = machine.runtime();
        for (var id : List.of(first, second)) {
            runtime.create(TestMachine.idle(id));
            runtime.start(id);
        }
    }

    @AfterEach
    void end() throws IOException {
        if (runtime != null) {
            runtime.remove(first, false);
            runtime.remove(second, false);
            runtime.close();
            machine.close();
        }
    }

    private SandboxFolder folder(SandboxId id) {
        return new SandboxFolder(machine.data.resolve("sandboxes").resolve(id.value()));
    }

    private Path diskOf(SandboxId id) throws IOException {
        var disk = Json.read(folder(id).instance(), InstanceFile.class)
                .orElseThrow()
                .disk();
        return machine.data.resolve("disks").resolve(disk).resolve("content");
    }

    /** Bubblewrap reads all of it for each of its own mounts. */
    @Test
    void theTableOfMountsThatBubblewrapReadsDoesNotGrowWithOtherSandboxes() throws IOException {
        var agent = HostProcess.read(folder(second).agentPid()).orElseThrow();
        long bubblewrap = ProcessHandle.of(agent.pid())
                .orElseThrow()
                .parent()
                .orElseThrow()
                .pid();
        var own = diskOf(second);
        var other = diskOf(first);
        assertThat(Files.readString(Path.of("/proc/" + bubblewrap + "/comm"))).isEqualTo("bwrap\n");
        assertThat(Files.readAllLines(Path.of("/proc/" + bubblewrap + "/mountinfo")))
                .anyMatch(line -> line.contains(" " + own + " "))
                .noneMatch(line -> line.contains(" " + other + " "));
    }

    /** A copy of their mounts would keep their loop devices busy as long as this sandbox lives. */
    @Test
    void theTableHasNoDisksOfAnotherServerOnThisHost() throws IOException {
        try (var other = new TestMachine();
                var otherRuntime = other.runtime()) {
            var theirs = SandboxId.next();
            otherRuntime.create(TestMachine.idle(theirs));
            otherRuntime.start(theirs);
            try {
                var ours = SandboxId.next();
                runtime.create(TestMachine.idle(ours));
                runtime.start(ours);
                try {
                    var agent = HostProcess.read(folder(ours).agentPid()).orElseThrow();
                    var bubblewrap =
                            ProcessHandle.of(agent.pid()).orElseThrow().parent().orElseThrow();
                    assertThat(Files.readAllLines(Path.of("/proc/" + bubblewrap.pid() + "/mountinfo")))
                            .anyMatch(line -> line.contains(" " + machine.data + "/disks/"))
                            .noneMatch(line -> line.contains(" " + other.data + "/disks"));
                } finally {
                    runtime.remove(ours, false);
                }
            } finally {
                otherRuntime.remove(theirs, false);
            }
        }
    }

    @Test
    void theHostStillSeesTheDisksOfAll() throws IOException {
        assertThat(diskOf(first).resolve("workspace")).isDirectory();
        assertThat(diskOf(second).resolve("workspace")).isDirectory();
    }
}
