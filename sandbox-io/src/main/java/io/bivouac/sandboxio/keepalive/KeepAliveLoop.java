package io.bivouac.sandboxio.keepalive;

import io.bivouac.agent.v1.CommandInfo;
import io.bivouac.agentlink.AgentConnections;
import io.bivouac.foundation.database.Outage;
import io.bivouac.foundation.loop.Loop;
import io.bivouac.sandboxes.store.KeptSandbox;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.transition.Happening.Used;
import io.micronaut.context.annotation.Context;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves the end of sandboxes that are kept alive and were used. Each relay looks at its own agents and its own traffic,
 * and only at sandboxes that have used up a quarter of their time: seldom at first, every second near the end.
 */
@Context
class KeepAliveLoop {
    private static final Logger LOG = LoggerFactory.getLogger(KeepAliveLoop.class);
    private static final Duration EVERY = Duration.ofSeconds(1);

    /** An idle sandbox's agent is asked about this often in its whole time. */
    private static final int LOOKS = 20;

    private final SandboxStore store;
    private final AgentConnections agents;
    private final Traffic traffic;
    private final Map<SandboxId, Instant> nextLook = new HashMap<>();
    private final Loop loop =
            new Loop("keep-alive", this::look, EVERY, new Outage(LOG, "Keeping alive failed", "Keeping alive goes on"));

    KeepAliveLoop(SandboxStore store, AgentConnections agents, Traffic traffic) {
        this.store = store;
        this.agents = agents;
        this.traffic = traffic;
    }

    @PostConstruct
    void start() {
        loop.startAfter(EVERY);
    }

    private Duration look() {
        var due = store.keptAndDue();
        nextLook.keySet().retainAll(due.stream().map(KeptSandbox::sandbox).collect(Collectors.toSet()));
        var now = store.now();
        for (var kept : due) {
            if (!now.isBefore(nextLook.getOrDefault(kept.sandbox(), now))) {
                look(kept);
                nextLook.put(kept.sandbox(), now.plus(pause(kept, now)));
            }
        }
        return EVERY;
    }

    /** No longer than half of what is left, so that no use is missed before the end. */
    private static Duration pause(KeptSandbox kept, Instant now) {
        var usual = kept.timeout().dividedBy(LOOKS);
        var left = Duration.between(now, kept.expiresAt()).dividedBy(2);
        return usual.compareTo(left) < 0 ? usual : left;
    }

    private void look(KeptSandbox kept) {
        try {
            lastUse(kept.sandbox())
                    .filter(then -> then.isAfter(kept.countedUntil()))
                    .ifPresent(then -> store.on(kept.sandbox(), new Used(then)));
        } catch (BivouacException goneOrSilent) {
            // Deleted meanwhile, or its agent is just reconnecting: the next look tells.
            LOG.debug("{}: {}", kept.sandbox(), goneOrSilent.getMessage());
        }
    }

    private Optional<Instant> lastUse(SandboxId id) {
        var commands = agents.find(id).map(agent -> agent.commands()).orElse(List.of());
        return Stream.concat(traffic.last(id).stream(), commands.stream().map(this::lastUse))
                .max(Instant::compareTo);
    }

    /** Work that goes on is use; a terminal is used while bytes pass or something runs in its foreground. */
    private Instant lastUse(CommandInfo command) {
        if (command.getRunning() && (!command.getTerminal() || command.getForegroundBusy())) {
            return store.now();
        }
        return Instant.ofEpochMilli(Math.max(command.getStartedUnixMillis(), command.getActiveUnixMillis()));
    }

    @PreDestroy
    void stop() {
        loop.stop();
    }
}
