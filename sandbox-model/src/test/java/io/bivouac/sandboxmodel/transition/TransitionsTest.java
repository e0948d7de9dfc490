package io.bivouac.sandboxmodel.transition;

import static io.bivouac.sandboxmodel.SandboxState.DELETED;
import static io.bivouac.sandboxmodel.SandboxState.ERROR;
import static io.bivouac.sandboxmodel.SandboxState.RUNNING;
import static io.bivouac.sandboxmodel.SandboxState.STARTING;
import static io.bivouac.sandboxmodel.SandboxState.STOPPED;
import static io.bivouac.sandboxmodel.SandboxState.STOPPING;
import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.events.PermissionData;
import io.bivouac.events.PortData;
import io.bivouac.events.TerminalData;
import io.bivouac.sandboxmodel.OnExpiry;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.Status;
import io.bivouac.sandboxmodel.StopReason;
import io.bivouac.sandboxmodel.Teardown;
import io.bivouac.sandboxmodel.egress.EgressPolicy;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.sandboxmodel.fixture.Drafts;
import io.bivouac.sandboxmodel.transition.Decision.Changed;
import io.bivouac.sandboxmodel.transition.Decision.Refused;
import io.bivouac.sandboxmodel.transition.Decision.Unchanged;
import io.bivouac.sandboxmodel.transition.Happening.AgentDisconnected;
import io.bivouac.sandboxmodel.transition.Happening.AgentLost;
import io.bivouac.sandboxmodel.transition.Happening.AgentRegistered;
import io.bivouac.sandboxmodel.transition.Happening.DeleteRequested;
import io.bivouac.sandboxmodel.transition.Happening.EgressChanged;
import io.bivouac.sandboxmodel.transition.Happening.ExpiryNear;
import io.bivouac.sandboxmodel.transition.Happening.ExtensionRequested;
import io.bivouac.sandboxmodel.transition.Happening.FilesGone;
import io.bivouac.sandboxmodel.transition.Happening.InstanceMissing;
import io.bivouac.sandboxmodel.transition.Happening.PauseFailed;
import io.bivouac.sandboxmodel.transition.Happening.PauseRequested;
import io.bivouac.sandboxmodel.transition.Happening.PermissionRequested;
import io.bivouac.sandboxmodel.transition.Happening.PermissionResolved;
import io.bivouac.sandboxmodel.transition.Happening.PortClosed;
import io.bivouac.sandboxmodel.transition.Happening.PortOpened;
import io.bivouac.sandboxmodel.transition.Happening.ResumeRequested;
import io.bivouac.sandboxmodel.transition.Happening.StartFailed;
import io.bivouac.sandboxmodel.transition.Happening.StartRequested;
import io.bivouac.sandboxmodel.transition.Happening.StopRequested;
import io.bivouac.sandboxmodel.transition.Happening.TeardownDone;
import io.bivouac.sandboxmodel.transition.Happening.TeardownFailed;
import io.bivouac.sandboxmodel.transition.Happening.TerminalEnded;
import io.bivouac.sandboxmodel.transition.Happening.TerminalStarted;
import io.bivouac.sandboxmodel.transition.Happening.TimeOver;
import io.bivouac.sandboxmodel.transition.Happening.Used;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class TransitionsTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final Duration DAY = Duration.ofDays(1);
    private static final Sandbox FRESH = Drafts.starting("prj_test");

    private static final TerminalData TERMINAL =
            new TerminalData(FRESH.id().value(), "pty-test", "key_test", null, null, null);

    private static final PermissionData PERMISSION = new PermissionData(
            FRESH.id().value(), null, "perm_test", "Bash", "ls", null, null, null, null, null, null, null);

    private static final PortData PORT = new PortData(FRESH.id().value(), 8000, "python3");

    /** One row a state, one column a happening: the next state, {@code -} for no change, {@code x} for a refusal. */
    private static final List<Happening> COLUMNS = List.of(
            new AgentRegistered("1"),
            new AgentDisconnected("gone"),
            new AgentLost("gone"),
            new StartFailed("why"),
            new InstanceMissing("why"),
            new StopRequested(),
            new StartRequested(),
            new DeleteRequested(false),
            new ExtensionRequested(Duration.ofMinutes(1)),
            new ExpiryNear(),
            new TimeOver(DAY),
            new TeardownDone(Teardown.stop()),
            new TeardownFailed(Teardown.stop(), "why"),
            new TerminalStarted(TERMINAL),
            new TerminalEnded(TERMINAL),
            new PermissionRequested(PERMISSION),
            new PermissionResolved(PERMISSION),
            new EgressChanged(EgressPolicy.allowing(List.of("example.org"))),
            new Used(NOW),
            new PortOpened(PORT),
            new PortClosed(PORT),
            new PauseRequested(),
            new ResumeRequested(),
            new PauseFailed("why"),
            new FilesGone());

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "STARTING | running  | - | -     | error | error | stopping | -        | stopping | starting | starting | stopping | -       | -     | x        | starting | x | starting | starting | - | - | - | x | x | - | -",
                "RUNNING  | running  | running | error | -     | error | stopping | -        | stopping | running  | running  | stopping | -       | -     | running  | running | running | running | running | - | running | running | paused | - | - | -",
                "PAUSED   | paused   | paused | -    | -     | error | stopping | x        | stopping | paused   | paused   | stopping | -       | -     | x        | paused | x | paused | paused | - | - | - | - | running | running | -",
                "STOPPING | x        | - | -     | -     | -     | -        | x        | stopping | x        | -        | -        | stopped | error | x        | stopping | x | stopping | x | - | - | - | x | x | - | -",
                "STOPPED  | x        | - | -     | -     | -     | -        | starting | stopping | x        | stopped  | stopping | -       | -     | x        | stopped | x | stopped | stopped | - | - | - | x | x | - | -",
                "ERROR    | running  | - | -     | -     | -     | stopping | x        | stopping | x        | error    | stopping | -       | -     | x        | error | x | error | error | - | - | - | x | x | - | -",
                "DELETED  | x        | - | x     | x     | x     | x        | x        | x        | x        | x        | x        | x       | x     | x        | - | x | deleted | x | x | x | x | x | x | x | x",
            })
    void everyPairOfStateAndHappeningIsDecided(
            SandboxState state,
            String agentRegistered,
            String agentDisconnected,
            String agentLost,
            String startFailed,
            String instanceMissing,
            String stop,
            String start,
            String delete,
            String extend,
            String expiryNear,
            String timeOver,
            String teardownDone,
            String teardownFailed,
            String terminalStarted,
            String terminalEnded,
            String permissionRequested,
            String permissionResolved,
            String egressChanged,
            String used,
            String portOpened,
            String portClosed,
            String pause,
            String resume,
            String pauseFailed,
            String filesGone) {
        var expected = List.of(
                agentRegistered,
                agentDisconnected,
                agentLost,
                startFailed,
                instanceMissing,
                stop,
                start,
                delete,
                extend,
                expiryNear,
                timeOver,
                teardownDone,
                teardownFailed,
                terminalStarted,
                terminalEnded,
                permissionRequested,
                permissionResolved,
                egressChanged,
                used,
                portOpened,
                portClosed,
                pause,
                resume,
                pauseFailed,
                filesGone);
        var seen = COLUMNS.stream()
                .map(happening -> outcome(Transitions.decide(in(state), happening, NOW)))
                .toList();
        assertThat(seen).isEqualTo(expected);
    }

    @Test
    void theTableHasAColumnForEveryHappeningAndARowForEveryState() {
        var columns = COLUMNS.stream().map(Object::getClass).collect(Collectors.toSet());
        assertThat(columns).isEqualTo(new HashSet<>(List.of(Happening.class.getPermittedSubclasses())));
        assertThat(SandboxState.values()).hasSize(7);
    }

    static Stream<SandboxState> states() {
        return Arrays.stream(SandboxState.values());
    }

    private static String outcome(Decision decision) {
        return switch (decision) {
            case Changed changed -> changed.sandbox().state().wireName();
            case Unchanged _ -> "-";
            case Refused _ -> "x";
        };
    }

    private static Sandbox in(SandboxState state) {
        return FRESH.with(
                switch (state) {
                    case STARTING, DELETED -> Status.of(state, NOW);
                    case RUNNING, PAUSED -> Status.of(state, NOW).withAgent(true);
                    case STOPPING -> Status.stopping(Teardown.stop(), NOW);
                    case STOPPED -> Status.stopped(StopReason.USER, NOW);
                    case ERROR -> Status.failed("broken", NOW);
                });
    }

    @ParameterizedTest
    @MethodSource("states")
    void whateverIsNotDeletedCanBeDeleted(SandboxState state) {
        var decision = Transitions.decide(in(state), new DeleteRequested(true), NOW);
        if (state == DELETED) {
            assertThat(decision).isInstanceOf(Refused.class);
        } else {
            var next = ((Changed) decision).sandbox();
            assertThat(next.state()).isEqualTo(STOPPING);
            assertThat(next.status().teardown()).isEqualTo(Teardown.delete(true));
        }
    }

    @Test
    void aTeardownEndsWhereItWasGoing() {
        assertThat(after(Teardown.stop())).isEqualTo(Status.stopped(StopReason.USER, NOW));
        assertThat(after(Teardown.expire(true))).isEqualTo(Status.stopped(StopReason.EXPIRED, NOW));
        assertThat(after(Teardown.delete(false)).state()).isEqualTo(DELETED);
    }

    @Test
    void whatWasDoneForAnotherEndIsNotTheEnd() {
        var deleting = FRESH.with(Status.stopping(Teardown.delete(false), NOW));
        for (var other : List.of(Teardown.stop(), Teardown.expire(true), Teardown.delete(true))) {
            assertThat(Transitions.decide(deleting, new TeardownDone(other), NOW))
                    .isInstanceOf(Unchanged.class);
            assertThat(Transitions.decide(deleting, new TeardownFailed(other, "why"), NOW))
                    .isInstanceOf(Unchanged.class);
        }
    }

    private static Status after(Teardown teardown) {
        var stopping = FRESH.with(Status.stopping(teardown, NOW));
        return ((Changed) Transitions.decide(stopping, new TeardownDone(teardown), NOW))
                .sandbox()
                .status();
    }

    @Test
    void anExpiredSandboxIsNotStartedAgainNorExpiredAgain() {
        var expired = FRESH.with(Status.stopped(StopReason.EXPIRED, NOW));
        assertThat(Transitions.decide(expired, new StartRequested(), NOW)).isInstanceOf(Refused.class);
        assertThat(Transitions.decide(expired, new TimeOver(DAY), NOW)).isInstanceOf(Unchanged.class);
    }

    @Test
    void filesAreKeptForAWhileAfterTheEndUnlessTheirMakerWantsThemRemoved() {
        var keeping = ((Changed) Transitions.decide(in(RUNNING), new TimeOver(DAY), NOW)).sandbox();
        assertThat(keeping.status().teardown()).isEqualTo(Teardown.expire(true));
        assertThat(keeping.lifetime().filesUntil()).isEqualTo(NOW.plus(DAY));

        var expired = next(keeping, new TeardownDone(Teardown.expire(true)));
        assertThat(expired.shownState()).isEqualTo("expired");
        assertThat(next(expired, new FilesGone()).lifetime().filesUntil()).isNull();

        var removing = next(ending(OnExpiry.DELETE), new TimeOver(DAY));
        assertThat(removing.status().teardown()).isEqualTo(Teardown.expire(false));
        assertThat(removing.lifetime().filesUntil()).isNull();
    }

    @Test
    void oneThatStopsAtItsEndIsStartedWithItsWholeTimeAgain() {
        var over = next(ending(OnExpiry.STOP), new TimeOver(DAY));
        assertThat(said(ending(OnExpiry.STOP), new TimeOver(DAY))).containsExactly("sandbox.expired");
        assertThat(over.status().teardown()).isEqualTo(Teardown.stopAtExpiry());

        var stopped = next(over, new TeardownDone(Teardown.stopAtExpiry()));
        assertThat(stopped.shownState()).isEqualTo("stopped");
        assertThat(stopped.status().stopReason().wireName()).isEqualTo("expired");
        assertThat(Transitions.decide(stopped, new TimeOver(DAY), NOW)).isInstanceOf(Unchanged.class);

        var later = stopped.lifetime().expiresAt().plusSeconds(60);
        var started = ((Changed) Transitions.decide(stopped, new StartRequested(), later)).sandbox();
        assertThat(started.state()).isEqualTo(STARTING);
        assertThat(started.lifetime().expiresAt())
                .isEqualTo(later.plus(stopped.lifetime().timeout()));
    }

    @Test
    void aPausedSandboxKeepsItsAgentAndTellsOfBothChanges() {
        var paused = next(in(RUNNING), new PauseRequested());
        assertThat(paused.status().agentConnected()).isTrue();
        assertThat(said(in(RUNNING), new PauseRequested())).containsExactly("sandbox.paused");
        assertThat(said(paused, new ResumeRequested())).containsExactly("sandbox.resumed");
        assertThat(Transitions.decide(paused, new StartRequested(), NOW))
                .isInstanceOfSatisfying(
                        Refused.class, refused -> assertThat(refused.code()).isEqualTo(ErrorCode.SANDBOX_PAUSED));
    }

    private static Sandbox ending(OnExpiry choice) {
        var running = in(RUNNING);
        return new Sandbox(
                running.id(),
                running.project(),
                running.definition(),
                running.placement(),
                running.status(),
                running.lifetime().endingBy(choice),
                NOW,
                0,
                0);
    }

    @Test
    void theEndIsAnnouncedOnceForEachExtension() {
        var announced = ((Changed) Transitions.decide(in(RUNNING), new ExpiryNear(), NOW)).sandbox();
        assertThat(Transitions.decide(announced, new ExpiryNear(), NOW)).isInstanceOf(Unchanged.class);
        var extended = ((Changed) Transitions.decide(announced, new ExtensionRequested(Duration.ofHours(1)), NOW));
        assertThat(extended.sandbox().lifetime().expiresAt())
                .isEqualTo(FRESH.lifetime().expiresAt().plus(Duration.ofHours(1)));
        assertThat(Transitions.decide(extended.sandbox(), new ExpiryNear(), NOW))
                .isInstanceOf(Changed.class);
    }

    @Test
    void useMovesTheEndOfASandboxThatIsKeptAliveAndOnlyAhead() {
        var plain = in(RUNNING);
        var made = plain.lifetime();
        var kept = new Sandbox(
                plain.id(),
                plain.project(),
                plain.definition(),
                plain.placement(),
                plain.status(),
                made.keptAlive(made.timeout().multipliedBy(2)),
                plain.updatedAt(),
                0,
                0);
        var later = made.createdAt().plus(made.timeout().dividedBy(2));
        var used = ((Changed) Transitions.decide(kept, new Used(later), later)).sandbox();
        assertThat(used.lifetime().expiresAt()).isEqualTo(later.plus(made.timeout()));
        assertThat(Transitions.decide(used, new Used(made.createdAt()), later)).isInstanceOf(Unchanged.class);
        var longAfter = later.plus(made.timeout());
        var last = ((Changed) Transitions.decide(used, new Used(longAfter), longAfter)).sandbox();
        assertThat(last.lifetime().expiresAt()).isEqualTo(last.lifetime().keptUntil());
        assertThat(Transitions.decide(last, new Used(longAfter.plusSeconds(1)), longAfter))
                .isInstanceOf(Unchanged.class);
    }

    @Test
    void whatHappensIsSaid() {
        assertThat(said(in(STARTING), new AgentRegistered("1"))).containsExactly("agent.connected", "sandbox.running");
        assertThat(said(in(RUNNING), new AgentRegistered("1")))
                .containsExactly("agent.disconnected", "agent.connected");
        assertThat(said(in(RUNNING), new AgentDisconnected("x"))).containsExactly("agent.disconnected");
        assertThat(said(in(RUNNING), new AgentLost("x"))).containsExactly("agent.disconnected", "sandbox.error");
        assertThat(said(in(RUNNING), new ExpiryNear())).containsExactly("sandbox.expiring");
        assertThat(said(in(RUNNING), new PortOpened(PORT))).containsExactly("sandbox.port-opened");
        assertThat(said(in(RUNNING), new PortClosed(PORT))).containsExactly("sandbox.port-closed");
        assertThat(said(in(RUNNING), new TimeOver(DAY))).containsExactly("sandbox.expired");
        assertThat(said(in(STOPPING), new TeardownDone(Teardown.stop()))).containsExactly("sandbox.stopped");
        assertThat(said(in(STOPPED), new StartRequested())).containsExactly("sandbox.starting");
        assertThat(said(in(ERROR), new AgentRegistered("1"))).containsExactly("agent.connected", "sandbox.running");
        assertThat(Transitions.made(FRESH).sayings())
                .extracting(saying -> saying.type().wireName())
                .containsExactly("sandbox.created", "sandbox.starting");
    }

    @Test
    void anAgentThatWasConnectedIsSaidToBeGoneOnceBeforeItsSandboxEnds() {
        var stopping = next(in(RUNNING), new StopRequested());
        assertThat(said(stopping, new TeardownDone(Teardown.stop())))
                .containsExactly("agent.disconnected", "sandbox.stopped");
        var deleting = next(in(RUNNING), new DeleteRequested(false));
        assertThat(Transitions.decide(deleting, new AgentDisconnected("x"), NOW))
                .isInstanceOf(Unchanged.class);
        assertThat(said(deleting, new TeardownDone(Teardown.delete(false))))
                .containsExactly("agent.disconnected", "sandbox.deleted");
        assertThat(said(next(in(RUNNING), new TimeOver(DAY)), new TeardownDone(Teardown.expire(true))))
                .containsExactly("agent.disconnected", "sandbox.stopped");
        assertThat(said(in(RUNNING), new InstanceMissing("x"))).containsExactly("agent.disconnected", "sandbox.error");

        var away = next(in(RUNNING), new AgentDisconnected("x"));
        assertThat(away.state()).isEqualTo(RUNNING);
        assertThat(said(away, new AgentLost("x"))).containsExactly("sandbox.error");
        assertThat(said(away, new AgentRegistered("1"))).containsExactly("agent.connected");
        assertThat(said(next(away, new StopRequested()), new TeardownDone(Teardown.stop())))
                .containsExactly("sandbox.stopped");
    }

    private static Sandbox next(Sandbox sandbox, Happening happening) {
        return ((Changed) Transitions.decide(sandbox, happening, NOW)).sandbox();
    }

    private static List<String> said(Sandbox sandbox, Happening happening) {
        return ((Changed) Transitions.decide(sandbox, happening, NOW))
                .sayings().stream().map(saying -> saying.type().wireName()).toList();
    }
}
