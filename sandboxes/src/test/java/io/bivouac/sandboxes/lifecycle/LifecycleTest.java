package io.bivouac.sandboxes.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.foundation.fixture.Eventually;
import io.bivouac.foundation.fixture.House;
import io.bivouac.foundation.outbox.EventRow;
import io.bivouac.foundation.outbox.Outbox;
import io.bivouac.sandboxes.fixture.InMemoryRuntime;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxes.template.Templates;
import io.bivouac.sandboxmodel.Placement;
import io.bivouac.sandboxmodel.Resources;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.StopReason;
import io.bivouac.sandboxmodel.fixture.Drafts;
import io.bivouac.sandboxmodel.runtime.Instance;
import io.bivouac.sandboxmodel.runtime.InstanceSpec;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime.KeptData;
import io.bivouac.sandboxmodel.transition.Happening.DeleteRequested;
import io.bivouac.sandboxmodel.transition.Happening.PauseRequested;
import io.bivouac.sandboxmodel.transition.Happening.ResumeRequested;
import io.bivouac.sandboxmodel.transition.Happening.StopRequested;
import io.bivouac.sandboxmodel.transition.Happening.TimeOver;
import io.micronaut.context.ApplicationContext;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What happens to sandboxes by itself, in a process that keeps a host of its own. */
class LifecycleTest {
    private final String host = "host-" + UUID.randomUUID();
    private final String project = House.newProject().project();
    private ApplicationContext context;
    private SandboxStore store;
    private InMemoryRuntime runtime;

    @BeforeEach
    void open() {
        context = House.open(Map.of(
                "bivouac.host-name", host,
                "bivouac.lifecycle.reconcile-every", "500ms",
                "bivouac.lifecycle.start-timeout", "2s"));
        store = context.getBean(SandboxStore.class);
        runtime = context.getBean(InMemoryRuntime.class);
    }

    @AfterEach
    void close() {
        context.close();
    }

    @Test
    void aStartingSandboxThatNobodyHoldsIsBroughtUp() {
        var sandbox = add(Duration.ofHours(1));
        await(sandbox.id(), SandboxState.RUNNING);
        assertThat(runtime.get(sandbox.id())).isPresent();
    }

    @Test
    void aSandboxWhoseTimeIsOverIsAnnouncedEndedAndCleanedUp() {
        var sandbox = add(Duration.ofSeconds(2));
        var stopped = await(sandbox.id(), SandboxState.STOPPED);
        assertThat(stopped.status().stopReason()).isEqualTo(StopReason.EXPIRED);
        assertThat(runtime.get(sandbox.id())).isEmpty();
        assertThat(runtime.keptData()).extracting(KeptData::id).containsExactly(sandbox.id());
        assertThat(context.getBean(Outbox.class)
                        .history(sandbox.id().value(), 0, 20)
                        .items())
                .extracting(EventRow::type)
                .endsWith("sandbox.expiring", "sandbox.expired", "agent.disconnected", "sandbox.stopped");
    }

    @Test
    void theFilesOfAnExpiredSandboxGoWhenTheirTimeIsOver() {
        var sandbox = add(Duration.ofHours(1));
        await(sandbox.id(), SandboxState.RUNNING);
        store.on(sandbox.id(), new TimeOver(Duration.ofSeconds(1)));
        var expired = await(sandbox.id(), SandboxState.STOPPED);
        assertThat(expired.shownState()).isEqualTo("expired");
        Eventually.that(
                "the files to go",
                () -> store.find(sandbox.id()).orElseThrow().lifetime().filesUntil() == null);
        assertThat(runtime.keptData()).isEmpty();
    }

    @Test
    void aPausedSandboxIsFrozenAndGoesOnWhoeverAsksForIt() {
        var sandbox = add(Duration.ofHours(1));
        await(sandbox.id(), SandboxState.RUNNING);
        store.on(sandbox.id(), new PauseRequested());
        awaitInstance(sandbox.id(), Instance.State.PAUSED);
        store.on(sandbox.id(), new ResumeRequested());
        awaitInstance(sandbox.id(), Instance.State.RUNNING);

        // As a crash between the two leaves it.
        runtime.pause(sandbox.id());
        awaitInstance(sandbox.id(), Instance.State.RUNNING);
        store.on(sandbox.id(), new PauseRequested());
        awaitInstance(sandbox.id(), Instance.State.PAUSED);
        runtime.resume(sandbox.id());
        awaitInstance(sandbox.id(), Instance.State.PAUSED);
        store.on(sandbox.id(), new StopRequested());
        await(sandbox.id(), SandboxState.STOPPED);
    }

    @Test
    void aSandboxThatCannotBeFrozenRunsOnAndSaysSo() {
        var sandbox = add(Duration.ofHours(1));
        await(sandbox.id(), SandboxState.RUNNING);
        runtime.failPause = "it does not hold still";
        store.on(sandbox.id(), new PauseRequested());
        await(sandbox.id(), SandboxState.RUNNING);
        assertThat(runtime.get(sandbox.id())).map(Instance::state).contains(Instance.State.RUNNING);
    }

    private void awaitInstance(SandboxId id, Instance.State state) {
        Eventually.that(
                id + "'s instance to be " + state,
                () -> runtime.get(id).map(Instance::state).equals(Optional.of(state)));
    }

    @Test
    void aStoppingSandboxLeftBehindByACrashIsFinishedAsPromised() {
        var sandbox = add(Duration.ofHours(1));
        await(sandbox.id(), SandboxState.RUNNING);
        store.on(sandbox.id(), new DeleteRequested(true));
        await(sandbox.id(), SandboxState.DELETED);
        assertThat(runtime.keptData())
                .singleElement()
                .satisfies(kept -> assertThat(kept.id()).isEqualTo(sandbox.id()));
    }

    @Test
    void aStartThatNobodyFinishesFailsInTime() {
        runtime.agentsRegister = false;
        var sandbox = add(Duration.ofHours(1));
        var failed = await(sandbox.id(), SandboxState.ERROR);
        assertThat(failed.status().reason()).contains("did not connect");
    }

    @Test
    void aSandboxWhoseInstanceVanishedIsInErrorAndCanStillBeDeleted() {
        var sandbox = add(Duration.ofHours(1));
        await(sandbox.id(), SandboxState.RUNNING);
        runtime.lose(sandbox.id());
        assertThat(await(sandbox.id(), SandboxState.ERROR).status().reason()).contains("gone");
        store.on(sandbox.id(), new DeleteRequested(false));
        await(sandbox.id(), SandboxState.DELETED);
    }

    @Test
    void anInstanceThatNoRowKnowsIsRemovedAndItsDataKept() {
        var orphan = SandboxId.next();
        runtime.create(new InstanceSpec(
                orphan,
                project,
                context.getBean(Templates.class).get("default"),
                Resources.DEFAULT,
                Map.of(),
                "token",
                null));
        Eventually.that("the orphan to go", () -> runtime.get(orphan).isEmpty());
        assertThat(runtime.keptData())
                .singleElement()
                .satisfies(kept -> assertThat(kept.id()).isEqualTo(orphan));
    }

    @Test
    void aFailedTeardownIsAnErrorThatSaysWhy() {
        var sandbox = add(Duration.ofHours(1));
        await(sandbox.id(), SandboxState.RUNNING);
        runtime.failRemove = "the disk is on fire";
        store.on(sandbox.id(), new DeleteRequested(false));
        assertThat(await(sandbox.id(), SandboxState.ERROR).status().reason()).isEqualTo("the disk is on fire");
    }

    @Test
    void aDeleteDuringAStopStillDeletes() {
        var sandbox = add(Duration.ofHours(1));
        await(sandbox.id(), SandboxState.RUNNING);
        runtime.stopping = id -> store.on(id, new DeleteRequested(false));
        store.on(sandbox.id(), new StopRequested());
        await(sandbox.id(), SandboxState.DELETED);
        assertThat(runtime.get(sandbox.id())).isEmpty();
        assertThat(runtime.keptData()).isEmpty();
    }

    @Test
    void aDeleteOfEverythingDuringOneThatKeepsTheWorkspaceLeavesNothing() {
        var sandbox = add(Duration.ofHours(1));
        await(sandbox.id(), SandboxState.RUNNING);
        runtime.removing = id -> {
            runtime.removing = _ -> {};
            store.on(id, new DeleteRequested(false));
        };
        store.on(sandbox.id(), new DeleteRequested(true));
        await(sandbox.id(), SandboxState.DELETED);
        assertThat(runtime.keptData()).isEmpty();
    }

    @Test
    void aStopThatFailsAfterADeleteWasAskedForIsNotItsEnd() {
        var sandbox = add(Duration.ofHours(1));
        await(sandbox.id(), SandboxState.RUNNING);
        runtime.stopping = id -> {
            store.on(id, new DeleteRequested(false));
            throw new RuntimeFailure("it does not want to");
        };
        store.on(sandbox.id(), new StopRequested());
        await(sandbox.id(), SandboxState.DELETED);
        assertThat(runtime.get(sandbox.id())).isEmpty();
    }

    @Test
    void aStoppedSandboxKeepsItsInstance() {
        var sandbox = add(Duration.ofHours(1));
        await(sandbox.id(), SandboxState.RUNNING);
        store.on(sandbox.id(), new StopRequested());
        assertThat(await(sandbox.id(), SandboxState.STOPPED).status().stopReason())
                .isEqualTo(StopReason.USER);
        assertThat(runtime.get(sandbox.id())).isPresent();
    }

    private Sandbox add(Duration timeout) {
        var draft = Drafts.starting(project, timeout, Map.of());
        return store.add(new Sandbox(
                draft.id(),
                project,
                draft.definition(),
                new Placement("memory", host),
                draft.status(),
                draft.lifetime(),
                draft.updatedAt(),
                0,
                0));
    }

    private Sandbox await(SandboxId id, SandboxState state) {
        return Eventually.get(
                id + " to be " + state, () -> store.find(id).orElseThrow(), sandbox -> sandbox.state() == state);
    }
}
