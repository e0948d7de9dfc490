package io.bivouac.sandboxes.warm;

import io.bivouac.foundation.database.Outage;
import io.bivouac.foundation.loop.Loop;
import io.bivouac.sandboxes.template.Templates;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.runtime.InstanceSpec;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.bivouac.sandboxmodel.runtime.WarmInstances;
import io.micronaut.context.annotation.Requires;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sandboxes that run before anybody asks for them. One is started at a time, and none while others start or wait to be
 * started. The pool is empty until it is opened, and where the runtime cannot give running instances away. Thread-safe.
 */
@Singleton
@Requires(beans = SandboxRuntime.class)
public class WarmPool {
    private static final Logger LOG = LoggerFactory.getLogger(WarmPool.class);
    private static final Duration RETRY = Duration.ofSeconds(10);

    /** Between two looks whether other starts are over. */
    private static final Duration MOMENT = Duration.ofMillis(20);

    private static final Duration FULL_DISK = Duration.ofSeconds(5);

    /** After so long it becomes smaller, if nothing has made it larger. */
    private static final Duration QUIET = Duration.ofMinutes(5);

    /** For a start that is under way when the server stops. The relay may be closed already, so its agent never comes. */
    private static final Duration LONGEST_START = Duration.ofSeconds(1);

    private final SandboxRuntime runtime;
    private final WarmInstances instances;
    private final WarmStarter starter;
    private final Map<String, TemplatePool> pools = new LinkedHashMap<>();
    private final ConcurrentLinkedQueue<SandboxId> unwanted = new ConcurrentLinkedQueue<>();
    private final Loop loop = new Loop(
            "warm-pool",
            this::keep,
            RETRY,
            new Outage(LOG, "No sandbox can be started ahead", "Sandboxes are started ahead again"));
    private final CountDownLatch first = new CountDownLatch(1);
    private volatile BooleanSupplier busy = () -> false;
    private volatile boolean open;
    private long fewerAt;

    WarmPool(SandboxRuntime runtime, Templates templates, WarmSettings settings, WarmStarter starter) {
        this.runtime = runtime;
        this.instances = runtime.warmInstances().orElse(null);
        this.starter = starter;
        templates.all().stream()
                .filter(template ->
                        instances != null && !settings.rangeOf(template).isNone())
                .forEach(
                        template -> pools.put(template.name(), new TemplatePool(template, settings.rangeOf(template))));
    }

    /** Begins to fill, unless it has begun; false where nothing is to be started ahead. */
    public synchronized boolean open() {
        if (!open && !pools.isEmpty()) {
            open = true;
            fewerAt = System.nanoTime() + QUIET.toNanos();
            loop.start();
        }
        return open;
    }

    /** Whether the first one was ready within that time. */
    public boolean awaitFirst(Duration patience) throws InterruptedException {
        return first.await(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Starts nothing as long as the answer is yes. */
    public void pauseWhile(BooleanSupplier question) {
        busy = question;
    }

    /** One that can become this, and that nobody else is given. {@link #settled}, {@link #putBack} or {@link #discard} must follow. */
    public Optional<WarmSandbox> take(InstanceSpec spec) {
        var pool = pools.get(spec.template().name());
        if (pool == null || !open) {
            return Optional.empty();
        }
        var taken = instances.canBecome(spec) ? takeWaiting(pool) : Optional.<WarmSandbox>empty();
        pool.created(taken.isPresent());
        if (taken.isPresent()) {
            pool.lend();
        } else {
            loop.wake();
        }
        return taken;
    }

    private Optional<WarmSandbox> takeWaiting(TemplatePool pool) {
        for (var next = pool.take(); next.isPresent(); next = pool.take()) {
            if (starter.take(next.get().id())) {
                return next;
            }
        }
        return Optional.empty();
    }

    /** The sandbox has a row, or what is left of it is reconciliation's. */
    public void settled(WarmSandbox taken) {
        starter.release(taken.id());
        returned(taken);
    }

    /** Nothing came of the create, and nothing was done to the sandbox. */
    public void putBack(WarmSandbox taken) {
        var pool = pools.get(taken.template());
        pool.add(taken);
        if (!starter.putBack(taken, id -> left(pool, id))) {
            left(pool, taken.id());
        }
        returned(taken);
    }

    /** Nothing came of the create. The sandbox was touched, and is not given away again. */
    public void discard(WarmSandbox taken) {
        unwanted.add(taken.id());
        returned(taken);
    }

    private void returned(WarmSandbox taken) {
        pools.get(taken.template()).lentNoMore();
        loop.wake();
    }

    private void left(TemplatePool pool, SandboxId id) {
        pool.remove(id);
        unwanted.add(id);
        loop.wake();
    }

    /** Gives one to its owner. */
    public void give(InstanceSpec spec) {
        instances.become(spec);
    }

    /** All instances of this process that have no row and are to stay nevertheless. */
    public Set<SandboxId> instances() {
        return starter.ours();
    }

    Collection<TemplatePool> pools() {
        return pools.values();
    }

    public List<WarmFigures> figures() {
        return pools.values().stream().map(TemplatePool::figures).toList();
    }

    private Duration keep() throws InterruptedException {
        if (System.nanoTime() - fewerAt > 0) {
            fewerAt = System.nanoTime() + QUIET.toNanos();
            pools.values().forEach(pool -> pool.becomeFewer().forEach(surplus -> unwanted.add(surplus.id())));
        }
        removeUnwanted();
        var lacking = pools.values().stream().filter(TemplatePool::isLacking).findFirst();
        if (lacking.isEmpty()) {
            return QUIET;
        }
        if (busy.getAsBoolean()) {
            return MOMENT;
        }
        if (runtime.diskReserve().reached()) {
            return FULL_DISK;
        }
        startOne(lacking.get());
        return Duration.ZERO;
    }

    private void startOne(TemplatePool pool) throws InterruptedException {
        var started = starter.start(pool.template(), id -> left(pool, id));
        pool.add(started);
        first.countDown();
        if (!started.agent().isConnected()) {
            left(pool, started.id());
        }
    }

    private void removeUnwanted() {
        for (var id = unwanted.poll(); id != null; id = unwanted.poll()) {
            starter.remove(id);
        }
    }

    /** What nobody has taken goes with the server. */
    @PreDestroy
    void close() {
        synchronized (this) {
            open = false;
        }
        loop.finish(LONGEST_START);
        removeUnwanted();
        try (var removals = Executors.newVirtualThreadPerTaskExecutor()) {
            pools.values().stream()
                    .flatMap(pool -> pool.takeAll().stream())
                    .forEach(left -> removals.execute(() -> starter.remove(left.id())));
        }
    }
}
