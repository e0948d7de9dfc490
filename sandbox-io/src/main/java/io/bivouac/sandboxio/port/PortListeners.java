package io.bivouac.sandboxio.port;

import io.bivouac.agentlink.AgentArrival;
import io.bivouac.agentlink.AgentConnections;
import io.bivouac.foundation.changefeed.ChangeFeed;
import io.bivouac.sandboxes.port.PublishedPort;
import io.bivouac.sandboxes.port.PublishedPorts;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxes.template.Templates;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import io.micronaut.context.BeanProvider;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens the listeners of each sandbox whose agent comes here, and closes them when the sandbox stops. Thread-safe. */
@Singleton
class PortListeners implements AgentArrival {
    private static final Logger LOG = LoggerFactory.getLogger(PortListeners.class);

    private final SandboxStore store;
    private final Templates templates;
    private final PublishedPorts published;
    private final BeanProvider<AgentConnections> agents;
    private final Map<SandboxId, Map<Integer, PortListener>> listeners = new ConcurrentHashMap<>();

    /** @param agents asked for late: they need the arrivals, of which this is one */
    PortListeners(
            SandboxStore store,
            Templates templates,
            PublishedPorts published,
            BeanProvider<AgentConnections> agents,
            ChangeFeed feed) {
        this.store = store;
        this.templates = templates;
        this.published = published;
        this.agents = agents;
        feed.listen(new ChangeFeed.Listener() {
            @Override
            public void changed(String id) {
                if (id.startsWith(SandboxId.PREFIX) && listeners.containsKey(new SandboxId(id))) {
                    look(List.of(new SandboxId(id)));
                }
            }

            @Override
            public void reconnected() {
                look(List.copyOf(listeners.keySet()));
            }
        });
    }

    /** Before the sandbox is said to run, so that whoever is told so is also told where. */
    @Override
    public void arriving(SandboxId id) {
        if (published.any() && !listeners.containsKey(id)) {
            store.find(id).filter(found -> found.state().mayRun()).ifPresent(this::open);
        }
    }

    private void open(Sandbox sandbox) {
        var declared = templates
                .find(sandbox.definition().template())
                .map(template -> template.ports())
                .orElse(List.of());
        if (declared.isEmpty()) {
            return;
        }
        var before = published.of(sandbox.id()).stream()
                .collect(Collectors.toMap(PublishedPort::port, PublishedPort::hostPort));
        listeners.computeIfAbsent(
                sandbox.id(), id -> all(declared, port -> open(id, port, before.getOrDefault(port, 0))));
    }

    /** All of them or none: those that are open already would otherwise be nobody's to close. */
    static Map<Integer, PortListener> all(List<Integer> ports, IntFunction<PortListener> opening) {
        var open = new HashMap<Integer, PortListener>();
        try {
            ports.forEach(port -> open.put(port, opening.apply(port)));
            return open;
        } catch (RuntimeException failed) {
            open.values().forEach(PortListener::close);
            throw failed;
        }
    }

    private PortListener open(SandboxId id, int port, int wished) {
        try {
            var listener = PortListener.open(id, port, wished, agents.get());
            if (listener.hostPort() != wished) {
                publish(new PublishedPort(id, port, listener.hostPort()), listener);
            }
            return listener;
        } catch (IOException e) {
            throw new java.io.UncheckedIOException("cannot listen for port " + port + " of " + id, e);
        }
    }

    private void publish(PublishedPort port, PortListener listener) {
        try {
            published.publish(port);
        } catch (RuntimeException unknown) {
            listener.close();
            throw unknown;
        }
    }

    /** Not on the feed's thread, which must not wait for the database. */
    private void look(List<SandboxId> ids) {
        if (!ids.isEmpty()) {
            Thread.ofVirtual().name("ports").start(() -> ids.forEach(this::closeIfStopped));
        }
    }

    private void closeIfStopped(SandboxId id) {
        try {
            var state = store.find(id).map(Sandbox::state).orElse(SandboxState.DELETED);
            if (!state.mayRun()) {
                close(id);
            }
            if (state == SandboxState.DELETED) {
                published.forget(id);
            }
        } catch (RuntimeException databaseAway) {
            // The feed says when it is back, and all are looked at again.
            LOG.debug("{}: could not look whether it still runs: {}", id, databaseAway.getMessage());
        }
    }

    private void close(SandboxId id) {
        var open = listeners.remove(id);
        if (open != null) {
            open.values().forEach(PortListener::close);
        }
    }

    @PreDestroy
    void closeAll() {
        List.copyOf(listeners.keySet()).forEach(this::close);
    }
}
