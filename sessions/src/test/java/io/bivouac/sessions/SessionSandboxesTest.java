package io.bivouac.sessions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.foundation.audit.Audit;
import io.bivouac.sandboxes.fixture.InMemoryRuntime;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A session's sandbox is made in the same way, and within the same bounds, as any other. */
class SessionSandboxesTest {
    private static final int AT_ONCE = 2;
    private static final int SESSIONS = 5;

    private final TestRelay relay = TestRelay.start(Map.of(
            "bivouac.runtime",
            "memory",
            "bivouac.host-name",
            "host-" + UUID.randomUUID(),
            "bivouac.lifecycle.starts-at-once",
            AT_ONCE));
    private final InMemoryRuntime runtime = relay.bean(InMemoryRuntime.class);

    @AfterEach
    void close() {
        relay.close();
    }

    private SandboxId make() {
        return relay.bean(SessionSandboxes.class).make(null, Duration.ofMinutes(5), relay.caller(), null, null);
    }

    @Test
    void sessionsSandboxesObeyTheBoundOnStartsAtOnce() throws Exception {
        var underWay = new AtomicInteger();
        var most = new AtomicInteger();
        var goOn = new Semaphore(0);
        var begun = new Semaphore(0);
        runtime.creating = _ -> {
            most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
            begun.release();
            goOn.acquireUninterruptibly();
            underWay.decrementAndGet();
        };
        try (var sessions = Executors.newVirtualThreadPerTaskExecutor()) {
            var made = new ArrayList<Future<SandboxId>>();
            for (int i = 0; i < SESSIONS; i++) {
                made.add(sessions.submit(this::make));
            }
            // One after the other is let go: without the bound all five would be under way by the third.
            for (int i = 0; i < SESSIONS; i++) {
                begun.acquire();
                if (i >= AT_ONCE - 1) {
                    goOn.release();
                }
            }
            goOn.release(AT_ONCE);
            for (var sandbox : made) {
                assertThat(relay.bean(SandboxStore.class)
                                .find(sandbox.get())
                                .orElseThrow()
                                .state())
                        .isEqualTo(SandboxState.RUNNING);
            }
        }
        assertThat(most).hasValue(AT_ONCE);
    }

    @Test
    void aTemplateThatTheRuntimeHasNotIsRefusedBeforeAnythingIsStored() {
        int before = rows("sandbox.created").size();
        runtime.missingRoot = "The image is not here.";
        assertThatThrownBy(this::make).hasMessage("The image is not here.");
        assertThat(rows("sandbox.created")).hasSize(before);
    }

    @Test
    void theAuditNamesTheCallerAndASandboxThatDoesNotStartIsDiscarded() {
        var id = make();
        assertThat(rows("sandbox.created")).contains(relay.caller().id() + " " + id);
        runtime.failStart = "no room on this host";
        assertThatThrownBy(this::make).hasMessageContaining("no room on this host");
        var failed = rows("sandbox.failed").getFirst().split(" ")[1];
        relay.await(new SandboxId(failed), SandboxState.DELETED);
        assertThat(rows("sandbox.deleted")).contains(relay.caller().id() + " " + failed);
    }

    /** {@code actor subject} of the newest rows. */
    private List<String> rows(String action) {
        return relay.bean(Audit.class).list(relay.caller().project(), Long.MAX_VALUE, 100).items().stream()
                .filter(row -> row.action().equals(action))
                .map(row -> row.actor() + " " + row.subject())
                .toList();
    }
}
