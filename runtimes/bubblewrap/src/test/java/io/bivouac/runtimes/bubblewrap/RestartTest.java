package io.bivouac.runtimes.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.runtimes.bubblewrap.linux.Libc;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.runtime.Instance.State;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sandboxes outlive the server and their supervisor, and a crash leaves nothing behind. */
class RestartTest {
    private final SandboxId id = SandboxId.next();
    private TestMachine machine;
    private BubblewrapRuntime runtime;

    @BeforeEach
    void start() throws IOException {
        machine = new TestMachine();
        runtime = machine.runtime();
        runtime.create(TestMachine.idle(id));
        runtime.start(id);
    }

    @AfterEach
    void end() throws IOException {
        if (runtime != null) {
            runtime.remove(id, false);
            runtime.close();
            machine.close();
        }
    }

    private State stateAfterRestart() {
        runtime.close();
        runtime = machine.runtime();
        return runtime.get(id).orElseThrow().state();
    }

    private SandboxFolder folder() {
        return new SandboxFolder(machine.data.resolve("sandboxes").resolve(id.value()));
    }

    @Test
    void aSandboxGoesOnWithoutItsServer() throws IOException {
        var process = Files.readString(folder().agentPid());
        assertThat(stateAfterRestart()).isEqualTo(State.RUNNING);
        assertThat(folder().agentPid()).hasContent(process);
        runtime.stop(id, Duration.ofSeconds(5));
        assertThat(runtime.get(id).orElseThrow().detail()).contains("exit code 0");
    }

    @Test
    void itCanBeStoppedWithoutItsSupervisor() throws IOException {
        Libc.kill(Integer.parseInt(Files.readString(folder().supervisorPid())), Libc.SIGKILL);
        assertThat(stateAfterRestart()).isEqualTo(State.RUNNING);
        runtime.stop(id, Duration.ofSeconds(5));
        assertThat(runtime.get(id).orElseThrow().state()).isEqualTo(State.STOPPED);
        runtime.start(id);
        assertThat(runtime.get(id).orElseThrow().state()).isEqualTo(State.RUNNING);
    }

    @Test
    void whatNoFileKnowsIsRemovedAtTheNextStart() throws IOException {
        var process = io.bivouac.runtimes.bubblewrap.linux.HostProcess.read(folder().agentPid())
                .orElseThrow();
        Files.delete(folder().instance());
        runtime.close();
        runtime = machine.runtime();
        assertThat(process.isAlive()).isFalse();
        assertThat(folder().path()).doesNotExist();
        assertThat(runtime.list()).isEmpty();
    }

    @Test
    void anOrphanThatHasDoneNothingLeavesNothing() {
        runtime.removeOrphan(id);
        assertThat(folder().path()).doesNotExist();
        assertThat(runtime.list()).isEmpty();
        assertThat(runtime.keptData()).isEmpty();
    }

    @Test
    void theWorkOfAnOrphanIsKept() throws IOException {
        var disk =
                Json.read(folder().instance(), InstanceFile.class).orElseThrow().disk();
        Files.writeString(machine.data.resolve("disks").resolve(disk).resolve("content/workspace/work"), "done");
        runtime.removeOrphan(id);
        assertThat(runtime.list()).isEmpty();
        assertThat(runtime.keptData())
                .singleElement()
                .satisfies(kept -> assertThat(kept.id()).isEqualTo(id));
    }
}
