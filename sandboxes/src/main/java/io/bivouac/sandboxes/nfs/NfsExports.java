package io.bivouac.sandboxes.nfs;

import io.bivouac.foundation.database.Outage;
import io.bivouac.foundation.loop.Loop;
import io.bivouac.sandboxes.lifecycle.InstanceCompanion;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxmodel.Placement;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.runtime.HostFolders;
import io.bivouac.sandboxmodel.runtime.Installation;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Requires;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Exports the workspaces of this host's running sandboxes: each one as it starts, and all of them when this process or
 * the NFS server has been started. Thread-safe.
 */
@Context
@Requires(beans = {SandboxRuntime.class, NfsServer.class})
class NfsExports implements InstanceCompanion {
    private static final Logger LOG = LoggerFactory.getLogger(NfsExports.class);
    private static final Duration LOOK_EVERY = Duration.ofSeconds(30);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    /** How long a sandbox's start waits for the server's very first one. */
    private static final Duration FIRST_START = Duration.ofSeconds(5);

    private final HostFolders folders;
    private final NfsServer server;
    private final SandboxStore store;
    private final NfsAddresses addresses;
    private final Placement here;
    private final CountDownLatch tried = new CountDownLatch(1);
    private final Loop loop =
            new Loop("nfs", this::keep, RETRY_AFTER, new Outage(LOG, "Workspaces are not exported", "NFS works again"));

    NfsExports(
            SandboxRuntime runtime,
            NfsServer server,
            SandboxStore store,
            NfsAddresses addresses,
            Installation installation) {
        this.folders = runtime.hostFolders().orElse(null);
        this.server = server;
        this.store = store;
        this.addresses = addresses;
        this.here = new Placement(runtime.name(), installation.host());
    }

    @PostConstruct
    void start() {
        if (folders == null) {
            LOG.info("The runtime {} has no workspaces on this host: nothing is exported by NFS", here.runtime());
        } else {
            loop.start();
        }
    }

    private Duration keep() {
        try {
            keepRunning();
        } finally {
            tried.countDown();
        }
        return LOOK_EVERY;
    }

    /** The rows are read under the lock: an end that comes later finds its export and removes it. */
    private synchronized void keepRunning() {
        if (server.isRunning()) {
            return;
        }
        addresses.withdrawAll();
        server.start(loop::wake);
        try {
            store.onHost(here.host(), here.runtime()).stream()
                    .filter(sandbox ->
                            sandbox.state() == SandboxState.RUNNING || sandbox.state() == SandboxState.PAUSED)
                    .forEach(sandbox -> exportIfPossible(sandbox.id()));
            server.open();
        } catch (RuntimeException databaseAway) {
            server.close();
            throw databaseAway;
        }
    }

    /** One broken workspace must not keep the others from being exported. */
    private void exportIfPossible(SandboxId id) {
        try {
            export(id);
        } catch (RuntimeException failed) {
            LOG.warn("The workspace of {} is not exported: {}", id, failed.getMessage());
        }
    }

    @Override
    public void started(SandboxId id) {
        if (folders != null && hasTried()) {
            synchronized (this) {
                if (server.isRunning()) {
                    export(id);
                }
            }
        }
    }

    private boolean hasTried() {
        try {
            return tried.await(FIRST_START.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void export(SandboxId id) {
        folders.workspace(id).ifPresent(folder -> addresses.publish(id, server.add(id, folder)));
    }

    @Override
    public synchronized void beforeTeardown(SandboxId id) {
        addresses.withdraw(id);
        if (folders != null && server.isRunning()) {
            server.remove(id);
        }
    }

    @PreDestroy
    void close() {
        loop.stop();
        synchronized (this) {
            addresses.withdrawAll();
            server.close();
        }
    }
}
