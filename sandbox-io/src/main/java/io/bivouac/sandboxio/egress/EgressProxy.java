package io.bivouac.sandboxio.egress;

import com.google.protobuf.ByteString;
import io.bivouac.agentlink.CarriedStream;
import io.bivouac.agentlink.EgressListener;
import io.bivouac.sandboxes.egress.EgressPresets;
import io.bivouac.sandboxmodel.SandboxId;
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

    private final EgressGate gate;
    private final EgressPresets presets;
    private final EgressDialer dialer;
    private final EgressConnections connections;
    private final EgressAudit audit;
    private final EgressMetrics metrics;

    EgressProxy(
            EgressGate gate,
            EgressPresets presets,
            EgressDialer dialer,
            EgressConnections connections,
            EgressAudit audit,
            EgressMetrics metrics) {
        this.gate = gate;
        this.presets = presets;
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
        var connection = new EgressConnection(id, request.target(), program, metrics, presets);
        var turn = connections.add(connection);
        try {
            var passed = gate.pass(connection, request.program());
            try (var server = dialer.dial(request.target(), passed, turn)) {
                metrics.ended(EgressResult.CONNECTED);
                audit.connected(passed.sandbox(), request.target());
                connection.carry(request, rest, server);
            }
        } finally {
            connections.remove(connection);
        }
    }

    private void refuse(SandboxId id, CarriedStream program, EgressFailed failed) throws IOException {
        metrics.ended(failed.result());
        switch (failed.result()) {
            case REFUSED, MALFORMED -> audit.refused(id, failed);
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
}
