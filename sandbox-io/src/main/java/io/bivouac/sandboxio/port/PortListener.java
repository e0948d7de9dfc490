package io.bivouac.sandboxio.port;

import io.bivouac.agentlink.AgentConnections;
import io.bivouac.sandboxes.port.PublishedPort;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.error.BivouacException;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Listens on the host for one port of one sandbox. Thread-safe. */
final class PortListener implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PortListener.class);
    private static final int BACKLOG = 64;
    private static final Duration PAUSE = Duration.ofMillis(20);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    private final SandboxId sandbox;
    private final int port;
    private final AgentConnections agents;
    private final ServerSocket server;

    private PortListener(SandboxId sandbox, int port, AgentConnections agents, ServerSocket server) {
        this.sandbox = sandbox;
        this.port = port;
        this.agents = agents;
        this.server = server;
    }

    /** @param wished the number that it had before; 0 for none. Another one is taken where that is in use. */
    static PortListener open(SandboxId sandbox, int port, int wished, AgentConnections agents) throws IOException {
        return listen(sandbox, port, agents, bind(wished));
    }

    static PortListener listen(SandboxId sandbox, int port, AgentConnections agents, ServerSocket server) {
        var listener = new PortListener(sandbox, port, agents, server);
        Thread.ofVirtual().name("port-" + port).start(listener::accept);
        return listener;
    }

    private static ServerSocket bind(int wished) throws IOException {
        var server = new ServerSocket();
        try {
            server.setReuseAddress(true);
            server.bind(new InetSocketAddress(InetAddress.getByName(PublishedPort.HOST), wished), BACKLOG);
            return server;
        } catch (BindException taken) {
            server.close();
            if (wished == 0) {
                throw taken;
            }
            return bind(0);
        }
    }

    int hostPort() {
        return server.getLocalPort();
    }

    private void accept() {
        var pause = PAUSE;
        while (!server.isClosed()) {
            try {
                var client = server.accept();
                Thread.ofVirtual().name("port-" + port + "-client").start(() -> carry(client));
                pause = PAUSE;
            } catch (IOException failed) {
                if (server.isClosed()) {
                    return;
                }
                // Where the process has no descriptor left, the next try fails at once as well.
                LOG.warn("{}: could not accept a connection to port {}: {}", sandbox, port, failed.getMessage());
                LockSupport.parkNanos(pause.toNanos());
                pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
            }
        }
    }

    private void carry(Socket client) {
        try (client) {
            client.setTcpNoDelay(true);
            try (var stream = agents.get(sandbox).openPort(port)) {
                new PortConnection(client, stream).carry();
            } catch (IOException | BivouacException refused) {
                // The client sees a reset, as at a port where nobody listens.
                LOG.debug("{}: port {}: {}", sandbox, port, refused.getMessage());
                client.setSoLinger(true, 0);
            }
        } catch (IOException gone) {
            LOG.debug("{}: port {}: {}", sandbox, port, gone.getMessage());
        }
    }

    /** Connections that are open stay so until they end, or the sandbox does. */
    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            LOG.warn("{}: could not close the listener for port {}: {}", sandbox, port, e.getMessage());
        }
    }
}
