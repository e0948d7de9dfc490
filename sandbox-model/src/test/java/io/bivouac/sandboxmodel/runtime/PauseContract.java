package io.bivouac.sandboxmodel.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.runtime.Instance.State;
import org.junit.jupiter.api.Test;

/** What runtimes must do whose instances can be paused. */
public abstract class PauseContract extends InstanceUseContract {
    private static final double BUSY = 0.1;
    private static final double IDLE = 0.01;

    @Test
    void aPausedOneStandsStillAndGoesOn() {
        var id = busy();
        pauses().pause(id);
        pauses().pause(id);
        assertThat(stateOf(id)).isEqualTo(State.PAUSED);
        assertThat(listed(runtime(), id).state()).isEqualTo(State.PAUSED);
        assertThat(eventually(() -> cpu(id), usage -> usage < IDLE)).isLessThan(IDLE);
        assertThat(runtime().stats(id).pids()).isPositive();

        pauses().resume(id);
        pauses().resume(id);
        assertThat(stateOf(id)).isEqualTo(State.RUNNING);
        assertThat(eventually(() -> cpu(id), usage -> usage > BUSY)).isGreaterThan(BUSY);
        assertThat(shell(id, "echo here")).isEqualTo("here");
    }

    @Test
    void aPausedOneIsStoppedStartedAgainAndRemoved() {
        var id = busy();
        shell(id, "echo kept > /workspace/note");
        pauses().pause(id);
        runtime().stop(id, GRACE);
        assertThat(stateOf(id)).isEqualTo(State.STOPPED);
        runtime().start(id);
        assertThat(stateOf(id)).isEqualTo(State.RUNNING);
        assertThat(shell(id, "cat /workspace/note")).isEqualTo("kept");

        pauses().pause(id);
        runtime().remove(id, false);
        assertThat(runtime().get(id)).isEmpty();
    }

    @Test
    void onlyWhatRunsIsPaused() {
        var pauses = pauses();
        var id = started(spec());
        runtime().stop(id, GRACE);
        assertThatThrownBy(() -> pauses.pause(id)).isInstanceOf(RuntimeFailure.class);
        var unknown = SandboxId.next();
        assertThatThrownBy(() -> pauses.pause(unknown)).isInstanceOf(NoSuchInstance.class);
        assertThatThrownBy(() -> pauses.resume(unknown)).isInstanceOf(NoSuchInstance.class);
    }

    private PausableInstances pauses() {
        var can = runtime().pausableInstances();
        assumeThat(can.isPresent() && can.get().obstacle().isEmpty())
                .as("instances can be paused here")
                .isTrue();
        return can.get();
    }

    private SandboxId busy() {
        pauses();
        var id = started(spec(command("sh", "-c", "while :; do :; done")));
        assertThat(eventually(() -> cpu(id), usage -> usage > BUSY)).isGreaterThan(BUSY);
        return id;
    }

    private double cpu(SandboxId id) {
        return runtime().stats(id).cpu().usage();
    }
}
