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
import java.util.List;
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

    /** For templates that were built meanwhile. */
    private static final Duration LOOK_EVERY = Duration.ofSeconds(2);

    private static final Duration FULL_DISK = Duration.ofSeconds(5);

    /** After so long it becomes smaller, if nothing has made it larger. */
    private static final Duration QUIET = Duration.ofMinutes(5);

    /** For a start that is under way when the server stops, and for its removal: on a busy machine they take a while. */
    private static final Duration LONGEST_START = Duration.ofSeconds(6);

    private final SandboxRuntime runtime;
    private final WarmInstances instances;
    private final WarmStarter starter;
    private final TemplatePools pools;
    private final boolean wanted;
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
        this.wanted = instances != null && settings.getSandboxes() > 0;
        this.pools = new TemplatePools(wanted ? templates : Templates.NONE, settings);
    }

    /** Begins to fill, unless it has begun; false where nothing is to be started ahead. */
    public synchronized boolean open() {
        if (!open && wanted) {
            open = true;
            fewerAt = System.nanoTime() + QUIET.toNanos();
            loop.start();
        }
        return open && !pools.all().isEmpty();
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
        var pool = pools.find(spec.template().name())
                .filter(found -> open && found.makes(spec.template()))
                .orElse(null);
        if (pool == null) {
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
            if (!pool.makes(next.get().template())) {
                unwanted.add(next.get().id());
            } else if (starter.take(next.get().id())) {
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
        var pool = poolOf(taken);
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
        poolOf(taken).lentNoMore();
        loop.wake();
    }

    private TemplatePool poolOf(WarmSandbox taken) {
        return pools.find(taken.template().name()).orElseThrow();
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

    TemplatePools pools() {
        return pools;
    }

    public List<WarmFigures> figures() {
        return pools.all().stream().map(TemplatePool::figures).toList();
    }

    private Duration keep() throws InterruptedException {
        if (System.nanoTime() - fewerAt > 0) {
            fewerAt = System.nanoTime() + QUIET.toNanos();
            pools.all().forEach(pool -> pool.becomeFewer().forEach(surplus -> unwanted.add(surplus.id())));
        }
        pools.follow().forEach(useless -> unwanted.add(useless.id()));
        removeUnwanted();
        var lacking = pools.all().stream().filter(TemplatePool::isLacking).findFirst();
        if (lacking.isEmpty()) {
            return LOOK_EVERY;
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
        if (!started.agent().isConnected() || !pool.makes(started.template())) {
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
        starter.close();
        loop.finish(LONGEST_START);
        removeUnwanted();
        try (var removals = Executors.newVirtualThreadPerTaskExecutor()) {
            pools.all().stream()
                    .flatMap(pool -> pool.takeAll().stream())
                    .forEach(left -> removals.execute(() -> starter.remove(left.id())));
        }
    }
}
