package io.bivouac.runtimes.bubblewrap.disk;

import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.runtime.DiskReserve;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime.KeptData;
import io.micronaut.core.annotation.Nullable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The disks of one installation: fresh ones, those that sandboxes use, and those that were kept. */
public final class Disks implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Disks.class);

    private final DiskStore store;
    private final DiskPool pool;
    private final KeptDisks kept;
    private final ReserveWatch reserve;
    private final OneServer server;
    private final @Nullable CommonMount common;

    private final ExecutorService removals = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("disk-removal").daemon().factory());

    private Disks(
            OneServer server,
            DiskStore store,
            DiskPool pool,
            KeptDisks kept,
            ReserveWatch reserve,
            @Nullable CommonMount common) {
        this.reserve = reserve;
        this.common = common;
        this.server = server;
        this.store = store;
        this.pool = pool;
        this.kept = kept;
    }

    public static Disks in(Path data, DiskSettings settings, Furnishing furnishing) {
        var server = OneServer.lock(data);
        var backing = BackingDetection.detect(data, settings.kind());
        var ranges = settings.firstUid() == null
                ? null
                : new UidRanges(data.resolve("uid-ranges"), settings.firstUid(), settings.uidRanges());
        var folder = data.resolve("disks");
        var store = new DiskStore(folder, backing, ranges, settings.subordinate(), furnishing);
        store.prepare();
        // Folders cost nothing to make, and nothing is mounted for them.
        boolean mounted = backing.weakness() == null;
        var reserve = new ReserveWatch(data, settings.reserve(), store);
        var pool = new DiskPool(store, mounted ? settings.poolSize() : 0, settings.poolBytes(), settings.poolPause());
        pool.pauseWhile(() -> reserve.state().reached());
        var common = mounted ? CommonMount.make(folder).orElse(null) : null;
        return new Disks(server, store, pool, new KeptDisks(data.resolve("kept")), reserve, common);
    }

    /** Why the limit on disk space cannot be enforced on this machine; empty when it can. */
    public static Optional<String> obstacle() {
        return BackingDetection.obstacle();
    }

    /** The mount that all disks are mounted below, where there is one. */
    public Optional<Path> common() {
        return Optional.ofNullable(common).map(CommonMount::folder);
    }

    /** Why the limit on disk space is not enforced; null when it is. */
    public @Nullable String weakness() {
        return store.backing().weakness();
    }

    /** The free space that is not for sandboxes, and whether it is reached. */
    public DiskReserve reserve() {
        return reserve.state();
    }

    private void mustHaveSpace() {
        reserve.state().objection().ifPresent(why -> {
            throw new RuntimeFailure(why);
        });
    }

    public Disk take(long limitBytes) {
        mustHaveSpace();
        return pool.take(limitBytes);
    }

    /** The disk that a sandbox has left behind; {@link #takenOver} must follow once it is in use. */
    public Disk reuse(SandboxId id, String project, long limitBytes) {
        var found = kept.find(id)
                .filter(one -> one.project().equals(project))
                .orElseThrow(() -> new RuntimeFailure("there is no kept workspace of " + id));
        var disk = require(found.disk());
        try {
            // A smaller limit than before would cut the data off: it stays as it is.
            var fitting = limitBytes > disk.limitBytes() ? store.grow(disk, limitBytes) : disk;
            store.backing().attach(fitting);
            reserve.settle(fitting);
            return fitting;
        } catch (IOException e) {
            throw new RuntimeFailure("cannot open the kept workspace of " + id + ": " + e.getMessage(), e);
        }
    }

    public boolean isKept(SandboxId id, String project) {
        return kept.find(id).filter(one -> one.project().equals(project)).isPresent();
    }

    public void takenOver(SandboxId id) {
        kept.forget(id);
    }

    public Disk require(String id) {
        return store.find(id).orElseThrow(() -> new RuntimeFailure("the disk " + id + " is gone"));
    }

    /** Makes sure that the disk can be used, after whatever happened to the machine. */
    public void attach(Disk disk) {
        try {
            store.backing().attach(disk);
            reserve.settle(disk);
        } catch (IOException e) {
            throw new RuntimeFailure("cannot open the disk " + disk.id() + ": " + e.getMessage(), e);
        }
    }

    /** Whether the workspace has anything in it. */
    public boolean holdsWork(String id) {
        var disk = require(id);
        attach(disk);
        try (var entries = Files.newDirectoryStream(disk.workspace())) {
            return entries.iterator().hasNext();
        } catch (IOException e) {
            throw new RuntimeFailure("cannot look into the workspace of the disk " + id + ": " + e.getMessage(), e);
        }
    }

    /** Keeps the workspace of a sandbox that has ended; everything else on the disk goes. */
    public void keep(SandboxId id, String project, String disk) {
        try {
            var found = require(disk);
            store.keepOnlyWorkspace(found);
            store.backing().empty(found);
            long bytes = store.backing().usedBytes(found);
            kept.write(new KeptDisks.Kept(id.value(), disk, project, bytes, Instant.now()));
            store.backing().detach(found);
        } catch (IOException e) {
            throw new RuntimeFailure("cannot keep the data of " + id + ": " + e.getMessage(), e);
        }
    }

    /** In the background: taking a file system down takes longer than anyone should wait. */
    public void remove(String disk) {
        removals.execute(() -> store.discard(disk));
    }

    /** Tries again what could not be removed. */
    public void tidy() {
        removals.execute(store::tidy);
    }

    public List<KeptData> keptData() {
        return kept.all().stream()
                .map(one -> new KeptData(one.id(), one.project(), one.bytes(), one.keptAt()))
                .toList();
    }

    public void removeKept(SandboxId id) {
        kept.find(id).ifPresent(one -> {
            kept.forget(id);
            remove(one.disk());
        });
    }

    public long usedBytes(Disk disk) throws IOException {
        return store.backing().usedBytes(disk);
    }

    /**
     * Accounts for everything that a run before this one has left.
     *
     * @param inUse the disks that sandboxes have
     */
    public void recover(Set<String> inUse) {
        for (var one : kept.all()) {
            if (inUse.contains(one.disk())) {
                // It was on its way from or to a sandbox, which still has it.
                kept.forget(one.id());
            }
        }
        var known = new HashSet<>(inUse);
        kept.all().forEach(one -> known.add(one.disk()));
        for (var disk : store.all()) {
            if (inUse.contains(disk.id())) {
                attachIfPossible(disk);
            } else if (!known.contains(disk.id()) && !adopt(disk)) {
                LOG.info("Removing the disk {}, which nobody uses", disk.id());
                store.discard(disk);
            }
        }
        store.removeOutputs();
        store.releaseUnheldRanges();
        reserve.start();
        pool.refill();
    }

    /** One broken disk must not keep the others' sandboxes from going on; its own will say why it does not start. */
    private void attachIfPossible(Disk disk) {
        try {
            attach(disk);
        } catch (RuntimeException e) {
            LOG.error("The disk {} of a sandbox cannot be opened: {}", disk.id(), e.getMessage());
        }
    }

    private boolean adopt(Disk disk) {
        return Files.exists(disk.freshMark()) && disk.limitBytes() > 0 && pool.adopt(disk);
    }

    DiskPool pool() {
        return pool;
    }

    @Override
    public void close() {
        reserve.close();
        pool.close();
        // Waits for what is under way.
        removals.close();
        if (common != null) {
            common.close();
        }
        server.close();
    }
}
