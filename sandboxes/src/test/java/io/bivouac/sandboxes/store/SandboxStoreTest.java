package io.bivouac.sandboxes.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bivouac.foundation.fixture.House;
import io.bivouac.foundation.outbox.EventRow;
import io.bivouac.foundation.outbox.Outbox;
import io.bivouac.sandboxmodel.Definition;
import io.bivouac.sandboxmodel.Placement;
import io.bivouac.sandboxmodel.Resources;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.egress.EgressPolicy;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.sandboxmodel.fixture.Drafts;
import io.bivouac.sandboxmodel.transition.Happening.AgentRegistered;
import io.bivouac.sandboxmodel.transition.Happening.EgressChanged;
import io.bivouac.sandboxmodel.transition.Happening.ExtensionRequested;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SandboxStoreTest {
    private final SandboxStore store = House.get(SandboxStore.class);
    private final Outbox outbox = House.get(Outbox.class);
    private final String project = House.newProject().project();

    @Test
    void whatIsStoredComesBackAsItWas() {
        var labels = Map.of("team", "blue", "quote", "it's \"so\"");
        var stored = store.add(Drafts.starting(project, Duration.ofMinutes(7), labels));
        assertThat(store.find(stored.id())).contains(stored);
    }

    @Test
    void whatASandboxMayReachIsStoredWithItAndLater() {
        var draft = Drafts.starting(project).reaching(EgressPolicy.allowing(List.of("example.org")), store.now());
        var stored = store.add(draft);
        assertThat(store.find(stored.id())).contains(stored);
        var after = store.on(stored.id(), new EgressChanged(EgressPolicy.allowing(List.of("*.example.org:80"))));
        assertThat(after.definition().egress().hosts()).containsExactly("*.example.org:80");
        assertThat(after.version()).isEqualTo(stored.version() + 1);
        assertThat(store.find(stored.id())).contains(after);
    }

    @Test
    void twoConcurrentChangesNeverOverwriteEachOther() throws Exception {
        var sandbox = store.add(Drafts.starting(project));
        sideBySide(16, () -> store.on(sandbox.id(), new ExtensionRequested(Duration.ofSeconds(1))));
        var after = store.find(sandbox.id()).orElseThrow();
        assertThat(after.lifetime().expiresAt())
                .isEqualTo(sandbox.lifetime().expiresAt().plusSeconds(16));
        assertThat(after.version()).isEqualTo(sandbox.version() + 16);
    }

    @Test
    void aProjectNeverHasMoreThanItsLimitHoweverManyAskAtOnce() throws Exception {
        var small = House.newProject(5).project();
        var outcomes = sideBySide(20, () -> {
            try {
                store.add(Drafts.starting(small));
                return ErrorCode.INTERNAL_ERROR;
            } catch (BivouacException refused) {
                return refused.code();
            }
        });
        assertThat(outcomes.stream().filter(ErrorCode.SANDBOX_LIMIT_EXCEEDED::equals))
                .hasSize(15);
        assertThat(store.list(small, SandboxFilter.everything(100)).items()).hasSize(5);
    }

    @Test
    void eventsAreCountedWithoutAHoleInTheOrderOfChanges() {
        var sandbox = store.add(Drafts.starting(project));
        store.on(sandbox.id(), new AgentRegistered("1"));
        store.on(sandbox.id(), new AgentRegistered("2"));
        var history = outbox.history(sandbox.id().value(), 0, 100).items();
        assertThat(history)
                .extracting(EventRow::type)
                .containsExactly(
                        "sandbox.created",
                        "sandbox.starting",
                        "agent.connected",
                        "sandbox.running",
                        "agent.disconnected",
                        "agent.connected");
        assertThat(history.stream().mapToLong(EventRow::sequence).boxed())
                .containsExactlyElementsOf(LongStream.rangeClosed(1, 6).boxed().toList());
    }

    @Test
    void aRefusedChangeLeavesNoTrace() {
        var sandbox = store.add(Drafts.starting(project));
        var full = House.newProject(0).project();
        assertThatThrownBy(() -> store.add(Drafts.starting(full))).isInstanceOf(BivouacException.class);
        assertThat(store.list(full, SandboxFilter.everything(10)).items()).isEmpty();
        assertThat(store.find(sandbox.id())).contains(sandbox);
    }

    @Test
    void listsArePagedAndFiltered() {
        var all = IntStream.range(0, 7)
                .mapToObj(i -> store.add(Drafts.starting(
                        project, Duration.ofHours(1), Map.of("n", Integer.toString(i % 2), "all", "x"))))
                .toList();
        store.on(all.getFirst().id(), new AgentRegistered("1"));
        var seen = new ArrayList<Sandbox>();
        String cursor = null;
        do {
            var page = store.list(project, new SandboxFilter(null, null, Map.of(), cursor, 3));
            assertThat(page.items().size()).isLessThanOrEqualTo(3);
            seen.addAll(page.items());
            cursor = page.nextCursor();
        } while (cursor != null);
        assertThat(seen).hasSize(7).doesNotHaveDuplicates();
        assertThat(seen).extracting(sandbox -> sandbox.id().value()).isSortedAccordingTo((a, b) -> b.compareTo(a));

        assertThat(list(new SandboxFilter("running", null, Map.of(), null, 10))).hasSize(1);
        assertThat(list(new SandboxFilter(null, null, Map.of("n", "1"), null, 10)))
                .hasSize(3);
        assertThat(list(new SandboxFilter(null, null, Map.of("n", "1", "all", "x"), null, 10)))
                .hasSize(3);
        assertThat(list(new SandboxFilter(null, "python:3.11", Map.of(), null, 10)))
                .isEmpty();
    }

    @Test
    void manyAtOnceAreReadWithoutTheirEnvironments() {
        var draft = Drafts.starting(project);
        var definition = new Definition("default", null, Resources.DEFAULT, Map.of("A", "b"), Map.of(), null);
        var host = "host-" + draft.id();
        var stored = store.add(new Sandbox(
                draft.id(),
                project,
                definition,
                new Placement("memory", host),
                draft.status(),
                draft.lifetime(),
                draft.updatedAt(),
                0,
                0));
        assertThat(store.find(stored.id()).orElseThrow().definition().envs()).containsEntry("A", "b");
        for (var many : List.of(list(SandboxFilter.everything(10)), store.onHost(host, "memory"))) {
            assertThat(many).singleElement().satisfies(one -> {
                assertThat(one.definition().envs()).isEmpty();
                assertThat(one.status()).isEqualTo(stored.status());
                assertThat(one.lifetime()).isEqualTo(stored.lifetime());
            });
        }
    }

    private List<Sandbox> list(SandboxFilter filter) {
        return store.list(project, filter).items();
    }

    private static <T> List<T> sideBySide(int times, Callable<T> work) throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var outcomes = threads.invokeAll(
                    IntStream.range(0, times).mapToObj(_ -> work).toList());
            var results = new ArrayList<T>();
            for (Future<T> outcome : outcomes) {
                results.add(outcome.get());
            }
            return results;
        }
    }
}
