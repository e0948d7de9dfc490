package io.bivouac.sandboxio.port;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.bivouac.agent.v1.ListeningPort;
import io.bivouac.agentlink.PortsListener;
import io.bivouac.events.PortData;
import io.bivouac.foundation.database.Outage;
import io.bivouac.foundation.loop.Loop;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.transition.Happening.PortClosed;
import io.bivouac.sandboxmodel.transition.Happening.PortOpened;
import io.micronaut.context.annotation.Context;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells when ports of sandboxes open and close. Told ports are kept in the database, so that neither a reconnect nor
 * another relay tells of them again. Of each sandbox only its newest report waits, and what a program opens and closes
 * faster than {@link EventAllowance} allows is told as it is then.
 */
@Context
class PortEvents implements PortsListener {
    private static final Logger LOG = LoggerFactory.getLogger(PortEvents.class);
    private static final Duration WHILE_SOME_WAIT = Duration.ofSeconds(1);
    private static final Duration IDLE = Duration.ofMinutes(5);

    private final SandboxStore store;
    private final OpenPortRows rows;
    private final Map<SandboxId, Report> reports = new ConcurrentHashMap<>();
    private final Cache<SandboxId, EventAllowance> allowances =
            Caffeine.newBuilder().expireAfterAccess(EventAllowance.WINDOW).build();
    private final Loop loop = new Loop(
            "port-events",
            this::tellAll,
            WHILE_SOME_WAIT,
            new Outage(LOG, "Ports that opened or closed are not told", "Ports that open and close are told again"));

    PortEvents(SandboxStore store, OpenPortRows rows) {
        this.store = store;
        this.rows = rows;
    }

    /** What an agent said last. */
    private record Report(String bootId, Map<Integer, ListeningPort> ports) {}

    @PostConstruct
    void start() {
        loop.startAfter(IDLE);
    }

    @Override
    public void listening(SandboxId sandbox, String bootId, List<ListeningPort> ports) {
        var byNumber = ports.stream()
                .collect(Collectors.toMap(ListeningPort::getPort, Function.identity(), (first, _) -> first));
        reports.put(sandbox, new Report(bootId, byNumber));
        loop.wake();
    }

    private Duration tellAll() {
        reports.forEach((sandbox, report) -> {
            if (isTold(sandbox, report)) {
                reports.remove(sandbox, report);
            }
        });
        return reports.isEmpty() ? IDLE : WHILE_SOME_WAIT;
    }

    /** False when the rest has to wait. */
    private boolean isTold(SandboxId sandbox, Report report) {
        try {
            return new Telling(sandbox, report.bootId()).tell(report.ports());
        } catch (BivouacException gone) {
            LOG.debug("{}: {}", sandbox, gone.getMessage());
            return true;
        }
    }

    private final class Telling {
        private final SandboxId sandbox;
        private final String bootId;
        private final EventAllowance allowance;

        Telling(SandboxId sandbox, String bootId) {
            this.sandbox = sandbox;
            this.bootId = bootId;
            this.allowance = allowances.get(sandbox, _ -> new EventAllowance(System.nanoTime()));
        }

        boolean tell(Map<Integer, ListeningPort> listening) {
            // Those of a former start ended with it, and without a word.
            var known = rows.of(sandbox.value()).stream()
                    .filter(row -> row.bootId().equals(bootId))
                    .collect(Collectors.toMap(OpenPortRows.Row::port, row -> data(row.port(), row.program())));
            for (var port : known.values()) {
                if (!listening.containsKey(port.port()) && !closed(port)) {
                    return false;
                }
            }
            for (var port : listening.values()) {
                if (!known.containsKey(port.getPort()) && !opened(data(port.getPort(), port.getProgram()))) {
                    return false;
                }
            }
            return true;
        }

        private PortData data(int port, String program) {
            return new PortData(sandbox.value(), port, program == null || program.isEmpty() ? null : program);
        }

        private boolean closed(PortData port) {
            if (!allowance.take(System.nanoTime())) {
                return false;
            }
            store.on(sandbox, new PortClosed(port), (_, _) -> rows.closed(sandbox.value(), port.port()));
            return true;
        }

        private boolean opened(PortData port) {
            if (!allowance.take(System.nanoTime())) {
                return false;
            }
            store.on(
                    sandbox,
                    new PortOpened(port),
                    (_, _) -> rows.opened(sandbox.value(), port.port(), bootId, port.program()));
            return true;
        }
    }

    @PreDestroy
    void stop() {
        loop.stop();
    }
}
