package io.bivouac.agentlink;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Role;
import io.bivouac.foundation.changefeed.ChangeFeed;
import io.bivouac.sandboxes.lifecycle.PauseSandboxes;
import io.bivouac.sandboxes.lifecycle.Sandboxes;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.scheduling.TaskExecutors;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Leads a caller to a sandbox's agent. Remembers for a moment which sandboxes run and whose they are, until the
 * change feed says that one was changed: running a command then costs no question to the database. Thread-safe.
 */
@Singleton
public class SandboxAccess {
    /** Bounds how long a change can go unseen while the feed is down. */
    private static final Duration REMEMBERED_FOR = Duration.ofSeconds(2);

    private static final int REMEMBERED = 10_000;

    private final Sandboxes sandboxes;
    private final PauseSandboxes pauses;
    private final AgentConnections connections;
    private final Map<SandboxId, Known> running = new ConcurrentHashMap<>();
    private final Scheduler threads;
    private final AtomicLong changes = new AtomicLong();

    private record Known(String project, long until) {}

    SandboxAccess(
            Sandboxes sandboxes,
            PauseSandboxes pauses,
            AgentConnections connections,
            SandboxStore store,
            ChangeFeed feed,
            @Named(TaskExecutors.BLOCKING) ExecutorService threads) {
        this.sandboxes = sandboxes;
        this.pauses = pauses;
        this.connections = connections;
        this.threads = Schedulers.fromExecutor(threads);
        // The feed comes a moment later: who has stopped a sandbox here must not find it running after that.
        store.onChange(sandbox -> forget(sandbox.id()));
        feed.listen(new ChangeFeed.Listener() {
            @Override
            public void changed(String id) {
                if (id.startsWith(SandboxId.PREFIX)) {
                    forget(new SandboxId(id));
                }
            }

            @Override
            public void reconnected() {
                changes.incrementAndGet();
                running.clear();
            }
        });
    }

    private void forget(SandboxId id) {
        changes.incrementAndGet();
        running.remove(id);
    }

    /** The agent of a running sandbox that this caller may use. */
    public Agent agent(String id, Caller caller) {
        return agent(id, caller, Role.DEVELOPER);
    }

    private Agent agent(String id, Caller caller, Role needed) {
        var sandbox = SandboxId.parse(id);
        caller.mustBe(needed);
        mustRun(sandbox, caller);
        return connections.get(sandbox);
    }

    /** The same without holding up the calling thread: mostly both are known, and nobody is asked. */
    public Mono<Agent> agentLater(String id, Caller caller) {
        return agentLater(id, caller, Role.DEVELOPER);
    }

    /** The same for what needs another role. */
    public Mono<Agent> agentLater(String id, Caller caller, Role needed) {
        var sandbox = SandboxId.parse(id);
        caller.mustBe(needed);
        var known = known(sandbox);
        var connection = connections.find(sandbox);
        if (known.isPresent() && connection.isPresent()) {
            caller.mustOwn(known.get().project(), "Sandbox " + id);
            return Mono.just(connection.get());
        }
        return Mono.fromCallable(() -> agent(id, caller, needed)).subscribeOn(threads);
    }

    private Optional<Known> known(SandboxId id) {
        return Optional.ofNullable(running.get(id)).filter(known -> known.until() - System.nanoTime() > 0);
    }

    private void mustRun(SandboxId id, Caller caller) {
        var known = known(id);
        if (known.isPresent()) {
            caller.mustOwn(known.get().project(), "Sandbox " + id);
            return;
        }
        long before = changes.get();
        var sandbox = pauses.awake(sandboxes.get(id, caller), caller);
        if (sandbox.state() != SandboxState.RUNNING) {
            running.remove(id);
            throw new BivouacException(
                    ErrorCode.SANDBOX_NOT_RUNNING,
                    "Sandbox " + id + " is " + sandbox.shownState() + remedy(sandbox) + ".");
        }
        remember(sandbox, before);
    }

    private static String remedy(Sandbox sandbox) {
        return sandbox.state() == SandboxState.STOPPED && !sandbox.hasExpired() ? "; it has to be started first" : "";
    }

    private void remember(Sandbox sandbox, long before) {
        if (running.size() >= REMEMBERED) {
            running.clear();
        }
        running.put(sandbox.id(), new Known(sandbox.project(), System.nanoTime() + REMEMBERED_FOR.toNanos()));
        if (changes.get() != before) {
            // What was read may be older than a change that was told meanwhile.
            running.remove(sandbox.id());
        }
    }
}
