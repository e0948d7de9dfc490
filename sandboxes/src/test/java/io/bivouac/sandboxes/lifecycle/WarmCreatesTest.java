package io.bivouac.sandboxes.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.fixture.Eventually;
import io.bivouac.foundation.fixture.House;
import io.bivouac.foundation.outbox.EventRow;
import io.bivouac.foundation.outbox.Outbox;
import io.bivouac.sandboxes.fixture.InMemoryRuntime;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxes.template.Templates;
import io.bivouac.sandboxes.warm.WarmFigures;
import io.bivouac.sandboxes.warm.WarmPool;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.runtime.Instance;
import io.bivouac.sandboxmodel.runtime.InstanceSpec;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micronaut.context.ApplicationContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Creates that take sandboxes which run already. */
class WarmCreatesTest {
    private static final int WARM = 3;

    private final String host = "host-" + UUID.randomUUID();
    private ApplicationContext context;
    private CreateSandboxes creates;
    private WarmPool pool;
    private InMemoryRuntime runtime;

    @BeforeEach
    void open() {
        start(WARM);
    }

    private void start(int warm) {
        context = House.open(Map.of("bivouac.host-name", host, "bivouac.warm.sandboxes", warm));
        context.registerSingleton(MeterRegistry.class, new SimpleMeterRegistry());
        creates = context.getBean(CreateSandboxes.class);
        runtime = context.getBean(InMemoryRuntime.class);
        pool = context.getBean(WarmPool.class);
        pool.open();
        awaitReady(warm);
    }

    @AfterEach
    void close() {
        context.close();
    }

    @Test
    void aCreateTakesASandboxThatRunsAndIsToldAsAnyOther() {
        var caller = House.newProject();
        var ahead = unowned();
        var started = create(caller, Map.of("A", "1"));
        assertThat(started.timeline().warm()).isTrue();
        assertThat(ahead).contains(started.sandbox().id());
        assertThat(started.sandbox().state()).isEqualTo(SandboxState.RUNNING);
        assertThat(context.getBean(Outbox.class)
                        .history(started.sandbox().id().value(), 0, 20)
                        .items())
                .extracting(EventRow::type)
                .containsExactly("sandbox.created", "sandbox.starting", "agent.connected", "sandbox.running");
        assertThat(runtime.given).singleElement().satisfies(spec -> {
            assertThat(spec.project()).isEqualTo(caller.project());
            assertThat(spec.envs()).containsEntry("A", "1");
        });
    }

    @Test
    void whatIsInThePoolHasNoRowAndIsFilledUpAgain() {
        var store = context.getBean(SandboxStore.class);
        assertThat(unowned())
                .hasSize(WARM)
                .allSatisfy(id -> assertThat(store.find(id)).isEmpty());
        var taken = create(House.newProject(), Map.of()).sandbox().id();
        awaitReady(WARM);
        assertThat(unowned()).doesNotContain(taken);
    }

    @Test
    void aThousandCreatesAtOnceGetASandboxEach() throws Exception {
        context.close();
        start(40);
        var ahead = unowned();
        var callers = new ArrayList<Caller>();
        for (int project = 0; project < 10; project++) {
            callers.add(House.newProject());
        }
        var made = new ArrayList<StartedSandbox>();
        try (var threads = Executors.newFixedThreadPool(64)) {
            var tasks = new ArrayList<Callable<StartedSandbox>>();
            for (int create = 0; create < 1_000; create++) {
                var caller = callers.get(create % callers.size());
                tasks.add(() -> create(caller, Map.of()));
            }
            for (Future<StartedSandbox> one : threads.invokeAll(tasks)) {
                made.add(one.get());
            }
        }
        var ids = made.stream().map(one -> one.sandbox().id()).collect(Collectors.toSet());
        assertThat(ids).hasSize(1_000);
        assertThat(made).allSatisfy(one -> assertThat(one.sandbox().state()).isEqualTo(SandboxState.RUNNING));
        assertThat(ids).containsAll(ahead);
        var warm = made.stream().filter(one -> one.timeline().warm()).toList();
        assertThat(warm).hasSizeGreaterThanOrEqualTo(ahead.size());
        assertThat(runtime.given).doesNotHaveDuplicates().hasSize(warm.size());
        assertThat(figures().warmCreates()).isEqualTo(warm.size());
        assertThat(figures().coldCreates()).isEqualTo(1_000 - warm.size());
    }

    @Test
    void aRefusedCreateLeavesItsSandboxInThePool() {
        var caller = House.newProject(1);
        create(caller, Map.of());
        awaitReady(WARM);
        var ahead = unowned();
        assertThatThrownBy(() -> create(caller, Map.of())).isInstanceOf(BivouacException.class);
        assertThat(figures().ready()).isEqualTo(WARM);
        assertThat(unowned()).isEqualTo(ahead);
    }

    @Test
    void aSandboxThatCannotBeGivenIsStartedLikeAnyOther() {
        runtime.failGiving = true;
        var started = create(House.newProject(), Map.of());
        assertThat(started.timeline().warm()).isFalse();
        assertThat(started.sandbox().state()).isEqualTo(SandboxState.RUNNING);
        assertThat(runtime.get(started.sandbox().id()).map(Instance::state)).contains(Instance.State.RUNNING);
    }

    @Test
    void aRoundOfReconciliationLeavesThePoolAlone() {
        var ahead = unowned();
        var reconciliation = context.getBean(Reconciliation.class);
        assertThat(reconciliation.run().orphansRemoved()).isZero();
        assertThat(unowned()).isEqualTo(ahead);
    }

    @Test
    void whatAnotherServerHasStartedAheadIsRemoved() {
        var ours = unowned();
        var left = SandboxId.next();
        var template = context.getBean(Templates.class).get("default");
        runtime.create(
                new InstanceSpec(left, InstanceSpec.NOBODY, template, template.resources(), Map.of(), "token", null));
        context.getBean(Reconciliation.class).run();
        Eventually.that(
                "the rest of another pool to go", () -> runtime.get(left).isEmpty());
        assertThat(runtime.keptData()).isEmpty();
        assertThat(unowned()).isEqualTo(ours);
    }

    @Test
    void aPoolThatIsClosedLeavesNoInstance() {
        context.close();
        assertThat(unowned()).isEmpty();
        open();
    }

    private StartedSandbox create(Caller caller, Map<String, String> envs) {
        var order = new SandboxOrder("default", null, Duration.ofHours(1), envs, null, null, null, null, false, false);
        return creates.create(order, caller, StartPlan.WAITING);
    }

    private Set<SandboxId> unowned() {
        return runtime.list().stream()
                .filter(Instance::isUnowned)
                .map(Instance::id)
                .collect(Collectors.toCollection(HashSet::new));
    }

    private WarmFigures figures() {
        return pool.figures().getFirst();
    }

    private void awaitReady(int warm) {
        Eventually.that(warm + " to be ready", () -> figures().ready() >= warm);
    }
}
