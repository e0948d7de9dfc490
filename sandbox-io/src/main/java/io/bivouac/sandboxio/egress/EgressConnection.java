package io.bivouac.sandboxio.egress;

import com.google.protobuf.ByteString;
import io.bivouac.agentlink.CarriedStream;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.egress.EgressPolicy;
import io.bivouac.sandboxmodel.egress.EgressTarget;
import io.bivouac.sandboxmodel.egress.Presets;
import io.bivouac.sandboxmodel.egress.Reach;
import io.micronaut.core.annotation.Nullable;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection of a program to a host, from the program's wish to the end. It may be cut at any time. Thread-safe. */
final class EgressConnection {
    private static final ByteString ESTABLISHED =
            ByteString.copyFromUtf8("HTTP/1.1 200 Connection established\r\n\r\n");

    private static final Logger LOG = LoggerFactory.getLogger(EgressConnection.class);

    private final SandboxId sandbox;
    private final EgressTarget target;
    private final CarriedStream program;
    private final EgressMetrics metrics;
    private volatile long activeAt = System.nanoTime();
    private @Nullable Socket server;
    private boolean cut;

    /** Whether an approver is asked about it: what the list says meanwhile is looked at after the answer. */
    private volatile boolean held;

    /** The list beside which an approver has allowed this connection; null when none has. */
    private volatile @Nullable EgressPolicy consentedBeside;

    private final Presets presets;

    EgressConnection(
            SandboxId sandbox, EgressTarget target, CarriedStream program, EgressMetrics metrics, Presets presets) {
        this.sandbox = sandbox;
        this.target = target;
        this.program = program;
        this.metrics = metrics;
        this.presets = presets;
    }

    Reach reachBy(EgressPolicy policy) {
        return policy.reach(target, presets);
    }

    /** Any news of the sandbox before this may have cut it, when no answer was asked for yet. */
    synchronized void hold() {
        held = true;
        cut = false;
    }

    /** A yes for this once holds until the list is changed. */
    void consentedBeside(EgressPolicy policy) {
        consentedBeside = policy;
        held = false;
    }

    /** Whether it may go on under this list, which may be another one than it began under. */
    boolean mayGoOn(EgressPolicy policy) {
        return held || policy.equals(consentedBeside) || reachBy(policy) != Reach.CLOSED;
    }

    SandboxId sandbox() {
        return sandbox;
    }

    EgressTarget target() {
        return target;
    }

    Duration idleFor(long now) {
        return Duration.ofNanos(now - activeAt);
    }

    /**
     * Ends it at both sides, whatever was on its way; false when that was done before. One that is not there yet is
     * left to the check that it still has to pass: who is refused shall hear why.
     */
    boolean cut() {
        Socket open;
        synchronized (this) {
            if (cut) {
                return false;
            }
            cut = true;
            open = server;
        }
        if (open != null) {
            program.close();
            closeQuietly(open);
        }
        return true;
    }

    /** Carries bytes both ways until both have said all. */
    void carry(ProxyRequest request, ByteString rest, Socket dialled) throws IOException {
        synchronized (this) {
            server = dialled;
            if (cut) {
                throw new IOException("the policy was changed meanwhile");
            }
        }
        var out = dialled.getOutputStream();
        if (request.tunnel()) {
            program.write(ESTABLISHED);
        } else {
            out.write(request.head().getBytes(StandardCharsets.ISO_8859_1));
        }
        var sending = Thread.ofVirtual().name("egress-sending").start(() -> toServer(rest, dialled));
        fromServer(dialled);
        program.end();
        try {
            sending.join();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void fromServer(Socket from) throws IOException {
        var in = from.getInputStream();
        var piece = new byte[CarriedStream.LARGEST_WRITE];
        for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
            program.write(ByteString.copyFrom(piece, 0, count));
            metrics.received(count);
            activeAt = System.nanoTime();
        }
    }

    /** However the program ends, the server is told: in order, or by the connection's end. */
    private void toServer(ByteString rest, Socket to) {
        boolean listens = true;
        try {
            for (var data = rest; data != null; data = program.read()) {
                listens = listens && sent(data, to);
            }
            if (listens) {
                to.shutdownOutput();
            }
        } catch (IOException programGone) {
            closeQuietly(to);
        }
    }

    /** False when the server takes no more; what it still has to say is read nevertheless. */
    private boolean sent(ByteString data, Socket to) {
        try {
            data.writeTo(to.getOutputStream());
            metrics.sent(data.size());
            activeAt = System.nanoTime();
            return true;
        } catch (IOException closed) {
            LOG.debug("{}: {} takes no more: {}", sandbox, target, closed.getMessage());
            return false;
        }
    }

    private static void closeQuietly(@Nullable Socket socket) {
        if (socket == null) {
            return;
        }
        try {
            socket.close();
        } catch (IOException gone) {
            LOG.trace("A connection did not close in order: {}", gone.getMessage());
        }
    }
}
