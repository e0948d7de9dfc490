package io.bivouac.sandboxes.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bivouac.foundation.database.DatabaseUrl;
import io.bivouac.foundation.fixture.House;
import io.bivouac.foundation.fixture.TestStack;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.fixture.Drafts;
import io.bivouac.sandboxmodel.transition.Happening.AgentRegistered;
import io.micronaut.transaction.TransactionOperations;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class StateWatchTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final SandboxStore store = House.get(SandboxStore.class);
    private final StateWatch watch = House.get(StateWatch.class);
    private final Sandbox sandbox = store.add(Drafts.starting(House.newProject().project()));

    @Test
    void aChangeBetweenTheBeginAndTheWaitIsNotMissed() {
        try (var wait = watch.listenTo(sandbox.id())) {
            var running = store.on(sandbox.id(), new AgentRegistered("1"));
            assertThat(wait.until(StateWatchTest::runs, LONG)).isEqualTo(running);
        }
    }

    @Test
    void aChangeByAnotherProcessEndsTheWait() throws Exception {
        var url = DatabaseUrl.parse(TestStack.get().postgres().url());
        try (var threads = Executors.newSingleThreadExecutor();
                var wait = watch.listenTo(sandbox.id());
                var other = DriverManager.getConnection(url.jdbcUrl(), url.driverProperties())) {
            var waiting = threads.submit(() -> wait.until(StateWatchTest::runs, LONG));
            try (var change = other.prepareStatement("UPDATE sandboxes SET state = 'running' WHERE id = ?")) {
                change.setString(1, sandbox.id().value());
                change.executeUpdate();
            }
            assertThat(waiting.get().state()).isEqualTo(SandboxState.RUNNING);
        }
    }

    @Test
    void aStateThatThisProgramDoesNotKnowDoesNotEndTheFeed() throws Exception {
        var url = DatabaseUrl.parse(TestStack.get().postgres().url());
        try (var threads = Executors.newSingleThreadExecutor();
                var wait = watch.listenTo(sandbox.id());
                var other = DriverManager.getConnection(url.jdbcUrl(), url.driverProperties());
                var statement = other.createStatement()) {
            var waiting = threads.submit(() -> wait.until(StateWatchTest::runs, LONG));
            statement.execute("NOTIFY bivouac_changes, '" + sandbox.id() + " hibernating'");
            statement.execute("UPDATE sandboxes SET state = 'running' WHERE id = '" + sandbox.id() + "'");
            assertThat(waiting.get().state()).isEqualTo(SandboxState.RUNNING);
        }
    }

    @Test
    void whatIsRolledBackIsToldToNobody() {
        var told = new CopyOnWriteArrayList<Sandbox>();
        store.onChange(told::add);
        @SuppressWarnings("unchecked")
        TransactionOperations<Connection> transactions = House.get(TransactionOperations.class);
        assertThatThrownBy(() -> transactions.executeWrite(_ -> {
                    store.on(sandbox.id(), new AgentRegistered("1"));
                    throw new IllegalStateException("refused after all");
                }))
                .hasMessage("refused after all");
        assertThat(told).noneMatch(one -> one.id().equals(sandbox.id()));
        assertThat(watch.await(sandbox.id(), StateWatchTest::runs, Duration.ofMillis(50))
                        .state())
                .isEqualTo(SandboxState.STARTING);
    }

    private static boolean runs(Sandbox found) {
        return found.state() == SandboxState.RUNNING;
    }
}
