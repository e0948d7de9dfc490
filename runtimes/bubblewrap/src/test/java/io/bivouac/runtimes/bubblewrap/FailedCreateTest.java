package io.bivouac.runtimes.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bivouac.runtimes.bubblewrap.linux.Mounts;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Nothing of a sandbox that could not be made or started is left on the host. */
class FailedCreateTest {
    private final SandboxId id = SandboxId.next();
    private TestMachine machine;
    private BubblewrapRuntime runtime;

    @BeforeEach
    void start() throws IOException {
        machine = new TestMachine();
        // Without a pool: every disk is one that the test has asked for.
        runtime = machine.runtime(
                Machine.detect(machine.settings(0), machine.agent.binary(), machine.data, machine.installation));
    }

    @AfterEach
    void end() throws IOException {
        if (runtime != null) {
            runtime.close();
            machine.close();
        }
    }

    @Test
    void aFolderThatCannotBeMadeLeavesNoDisk() throws IOException {
        // In the way of the sandbox's folder, so that its preparation fails when the disk is there.
        Files.writeString(machine.data.resolve("sandboxes").resolve(id.value()), "in the way");
        assertThatThrownBy(() -> runtime.create(TestMachine.idle(id))).isInstanceOf(RuntimeFailure.class);
        Files.deleteIfExists(machine.data.resolve("sandboxes").resolve(id.value()));
        nothingIsLeft();
        runtime.create(TestMachine.idle(id));
        runtime.start(id);
        runtime.remove(id, false);
        nothingIsLeft();
    }

    @Test
    void aFirstStartThatFailsLeavesNothing() throws IOException {
        runtime.create(TestMachine.idle(id));
        // The supervisor cannot write there, nor bubblewrap be started.
        var spec = machine.data.resolve("sandboxes").resolve(id.value()).resolve("supervise.json.part");
        Files.deleteIfExists(spec);
        Files.createDirectory(spec);
        assertThatThrownBy(() -> runtime.start(id)).isInstanceOf(RuntimeFailure.class);
        nothingIsLeft();
    }

    @Test
    void aLaterStartThatFailsKeepsItsWork() throws IOException {
        runtime.create(TestMachine.idle(id));
        runtime.start(id);
        runtime.stop(id, java.time.Duration.ZERO);
        var spec = machine.data.resolve("sandboxes").resolve(id.value()).resolve("supervise.json.part");
        Files.createDirectory(spec);
        assertThatThrownBy(() -> runtime.start(id)).isInstanceOf(RuntimeFailure.class);
        assertThat(runtime.get(id)).isPresent();
        assertThat(groups()).noneMatch(Files::isDirectory);
        Files.delete(spec);
        runtime.start(id);
        runtime.remove(id, false);
    }

    private void nothingIsLeft() throws IOException {
        assertThat(runtime.list()).isEmpty();
        await(() -> names("disks").isEmpty());
        assertThat(names("sandboxes")).isEmpty();
        assertThat(names("furnished")).isEmpty();
        assertThat(names("uid-ranges")).isEmpty();
        assertThat(Mounts.under(machine.data.toRealPath()))
                .containsOnly(machine.data.toRealPath().resolve("disks"));
        assertThat(groups()).noneMatch(Files::isDirectory);
        try (var devices = Files.list(Path.of("/sys/block"))) {
            assertThat(devices.map(device -> device.resolve("loop/backing_file")))
                    .noneMatch(file -> backs(file, machine.data));
        }
    }

    private List<Path> groups() {
        var parent = Machine.cgroupParent(machine.settings(), machine.installation);
        return Mounts.all().stream()
                .filter(mount -> mount.type().startsWith("cgroup"))
                .map(mount -> mount.target().resolve(parent).resolve(id.value()))
                .toList();
    }

    private static boolean backs(Path file, Path data) {
        try {
            return Files.readString(file).startsWith(data.toString());
        } catch (IOException none) {
            return false;
        }
    }

    private List<String> names(String folder) {
        try (var entries = Files.list(machine.data.resolve(folder))) {
            return entries.map(path -> path.getFileName().toString()).toList();
        } catch (IOException none) {
            return List.of();
        }
    }

    /** Disks are removed in the background. */
    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + 60_000_000_000L;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("the disks are removed in time").isLessThan(deadline);
            java.util.concurrent.locks.LockSupport.parkNanos(5_000_000);
        }
    }
}
