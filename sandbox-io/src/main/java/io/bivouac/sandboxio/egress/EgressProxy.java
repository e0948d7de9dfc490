package io.bivouac.sandboxio.egress;

import com.google.protobuf.ByteString;
import io.bivouac.agentlink.CarriedStream;
import io.bivouac.agentlink.EgressListener;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.egress.EgressTarget;
import io.micronaut.core.annotation.Nullable;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The proxy that programs in sandboxes talk to: one request a connection. Thread-safe. */
@Singleton
class EgressProxy implements EgressListener {
    private static final Logger LOG = LoggerFactory.getLogger(EgressProxy.class);

    /** How long what a refused program still says is taken, so that it gets to hear why. */
    private static final Duration LINGER = Duration.ofSeconds(2);

    private final SandboxStore store;
    private final EgressDialer dialer;
    private final EgressConnections connections;
    private final EgressAudit audit;
    private final EgressMetrics metrics;

    EgressProxy(
            SandboxStore store,
            EgressDialer dialer,
            EgressConnections connections,
            EgressAudit audit,
            EgressMetrics metrics) {
        this.store = store;
        this.dialer = dialer;
        this.connections = connections;
        this.audit = audit;
        this.metrics = metrics;
    }

    @Override
    public void opened(SandboxId sandbox, CarriedStream program) {
        Thread.ofVirtual().name("egress").start(() -> serve(sandbox, program));
    }

    private void serve(SandboxId id, CarriedStream program) {
        try (program) {
            try {
                var head = RequestHead.read(program);
                if (head != null) {
                    serve(id, program, ProxyRequest.parse(head.text()), head.rest());
                }
            } catch (EgressFailed failed) {
                refuse(id, program, failed);
            }
        } catch (IOException gone) {
            LOG.debug("{}: a connection out of it ended: {}", id, gone.getMessage());
        }
    }

    private void serve(SandboxId id, CarriedStream program, ProxyRequest request, ByteString rest)
            throws IOException, EgressFailed {
        var connection = new EgressConnection(id, request.target(), program, metrics);
        var turn = connections.add(connection);
        try {
            var sandbox = mustAllow(id, request.target());
            try (var server = dialer.dial(request.target(), sandbox, turn)) {
                metrics.ended(EgressResult.CONNECTED);
                audit.connected(sandbox, request.target());
                connection.carry(request, rest, server);
            }
        } finally {
            connections.remove(connection);
        }
    }

    private Sandbox mustAllow(SandboxId id, EgressTarget target) throws EgressFailed {
        var sandbox = find(id);
        if (sandbox == null || !sandbox.state().mayRun()) {
            throw new EgressFailed(EgressResult.REFUSED, "This sandbox does not run");
        }
        if (!sandbox.definition().egress().allows(target)) {
            throw new EgressFailed(
                    EgressResult.REFUSED,
                    "This sandbox may not reach " + target + "; allow it with PUT /api/v1/sandboxes/" + id
                            + "/egress, or bivouac sandbox egress " + id + " --add " + target,
                    target + " is not allowed");
        }
        return sandbox;
    }

    /** Null when there is none. */
    private @Nullable Sandbox find(SandboxId id) throws EgressFailed {
        try {
            return store.find(id).orElse(null);
        } catch (RuntimeException databaseAway) {
            LOG.warn("{}: could not find out what it may reach: {}", id, databaseAway.getMessage());
            throw new EgressFailed(EgressResult.UNAVAILABLE, "What this sandbox may reach cannot be found out now");
        }
    }

    private void refuse(SandboxId id, CarriedStream program, EgressFailed failed) throws IOException {
        metrics.ended(failed.result());
        switch (failed.result()) {
            case REFUSED, MALFORMED -> writeDown(id, failed);
            case CONNECTED, SILENT, UNKNOWN_HOST, UNREACHABLE, UNAVAILABLE, TIMEOUT -> {}
        }
        program.write(ByteString.copyFrom(failed.answer()));
        program.end();
        long deadline = System.nanoTime() + LINGER.toNanos();
        try {
            var more = program.read(LINGER);
            while (more != null && System.nanoTime() < deadline) {
                more = program.read(LINGER);
            }
        } catch (InterruptedIOException heard) {
            LOG.trace("{}: a refused program does not close", id);
        }
    }

    private void writeDown(SandboxId id, EgressFailed failed) {
        try {
            store.find(id).ifPresent(sandbox -> audit.refused(sandbox, failed.note()));
        } catch (RuntimeException databaseAway) {
            // It stays refused, and the metrics have counted it.
            LOG.warn("{}: a refusal could not be written down: {}", id, databaseAway.getMessage());
        }
    }
}
