package io.bivouac.terminalrelay.terminal;

import io.bivouac.agent.v1.CommandInfo;
import io.bivouac.agentlink.Agent;
import io.bivouac.agentlink.AgentConnections;
import io.bivouac.foundation.database.Outage;
import io.bivouac.foundation.loop.Loop;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxmodel.SandboxId;
import io.micronaut.runtime.event.annotation.EventListener;
import io.micronaut.runtime.server.event.ServerStartupEvent;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks every few seconds after the terminals of the agents that are connected here: what has ended is written
 * down, what is idle or whose time is over is ended. All that it knows comes from the database and the agents, so
 * it goes on where a relay that died left off, and it does not matter if two of them look.
 */
@Singleton
class TerminalCare {
    private static final Logger LOG = LoggerFactory.getLogger(TerminalCare.class);
    private static final int BATCH = 200;
    private static final int KILL = 9;

    /** Whoever makes a terminal has given up by then. */
    private static final Duration BEING_MADE = Duration.ofSeconds(60);

    /** A list that was on its way when a terminal was started need not have it. */
    private static final Duration JUST_STARTED = Duration.ofSeconds(10);

    /** Between two looks at terminals whose time is over: a session ends on time, whoever is attached. */
    private static final Duration DUE_EVERY = Duration.ofMillis(500);

    private static final Duration REMEMBERED = Duration.ofDays(1);
    private static final Duration RECORDINGS_KEPT = Duration.ofDays(30);
    private static final int LOOKS_PER_PURGE = 100;

    private final TerminalRows rows;
    private final LastActive lastActive;
    private final Terminals terminals;
    private final TerminalMaker maker;
    private final AgentConnections agents;
    private final SandboxStore store;
    private final TerminalSettings settings;
    private final TerminalMetrics metrics;
    private final Map<String, Instant> endingSince = new HashMap<>();
    private final Map<String, Instant> aloneSince = new HashMap<>();
    private final Loop loop;
    private long looks;
    private long lookedAt = System.nanoTime();

    TerminalCare(
            TerminalRows rows,
            LastActive lastActive,
            Terminals terminals,
            TerminalMaker maker,
            AgentConnections agents,
            SandboxStore store,
            TerminalSettings settings,
            TerminalMetrics metrics) {
        this.rows = rows;
        this.lastActive = lastActive;
        this.terminals = terminals;
        this.maker = maker;
        this.agents = agents;
        this.store = store;
        this.settings = settings;
        this.metrics = metrics;
        this.loop = new Loop(
                "terminal-care",
                this::care,
                settings.getLookEvery(),
                new Outage(LOG, "Looking after terminals failed", "Terminals are looked after again"));
    }

    @EventListener
    void start(ServerStartupEvent event) {
        loop.startAfter(pause());
    }

    private Duration care() {
        if (System.nanoTime() - lookedAt < settings.getLookEvery().toNanos()) {
            rows.sandboxesWithDueTerminals(store.now()).forEach(this::lookInto);
            return pause();
        }
        lookedAt = System.nanoTime();
        boolean purges = looks++ % LOOKS_PER_PURGE == 0;
        look();
        if (purges) {
            rows.purge(store.now().minus(REMEMBERED), store.now().minus(RECORDINGS_KEPT));
        }
        return pause();
    }

    private Duration pause() {
        return settings.getLookEvery().compareTo(DUE_EVERY) < 0 ? settings.getLookEvery() : DUE_EVERY;
    }

    void look() {
        rows.sandboxesWithTerminals().forEach(this::lookInto);
        rows.stranded(BATCH).forEach(terminal -> terminals.ended(terminal.id(), EndReason.SANDBOX, null));
        rows.overdue(store.now().minus(BEING_MADE), BATCH)
                .forEach(terminal -> terminals.ended(terminal.id(), EndReason.EXPIRED, null));
        rows.withLeftSandbox(BATCH).forEach(terminals::discardSandbox);
        metrics.live(rows.countLive());
        endingSince.values().removeIf(since -> since.isBefore(store.now().minus(BEING_MADE)));
        aloneSince
                .values()
                .removeIf(since ->
                        since.isBefore(store.now().minus(settings.getHold()).minus(BEING_MADE)));
    }

    private void lookInto(String sandbox) {
        agents.find(new SandboxId(sandbox)).ifPresent(agent -> lookInto(sandbox, agent));
    }

    private void lookInto(String sandbox, Agent agent) {
        try {
            var live = rows.liveIn(sandbox);
            var known = new HashMap<String, CommandInfo>();
            agent.commands().forEach(info -> known.put(info.getCommandId(), info));
            var now = store.now();
            lastActive.write(usedSince(live, known, now));
            for (var terminal : live) {
                look(terminal, known.remove(terminal.id()), agent, now);
            }
            known.values().stream()
                    .filter(info -> info.getTerminal() && info.getRunning() && isOver(info.getCommandId()))
                    .forEach(info -> agent.kill(info.getCommandId(), KILL));
        } catch (RuntimeException next) {
            LOG.debug("{}: will be looked at again: {}", sandbox, next.getMessage());
        }
    }

    /** When those were last used whose rows tell of an earlier time. */
    private static Map<String, Instant> usedSince(List<Terminal> live, Map<String, CommandInfo> known, Instant now) {
        var used = new HashMap<String, Instant>();
        for (var terminal : live) {
            var info = known.get(terminal.id());
            if (info != null && usedAt(info, now).isAfter(terminal.activeAt())) {
                used.put(terminal.id(), usedAt(info, now));
            }
        }
        return used;
    }

    private static Instant usedAt(CommandInfo info, Instant now) {
        return Instant.ofEpochMilli(Math.min(info.getActiveUnixMillis(), now.toEpochMilli()));
    }

    /** Its row was ended while the agent was away. */
    private boolean isOver(String id) {
        return rows.findById(id).filter(Terminal::isOver).isPresent();
    }

    private void look(Terminal terminal, CommandInfo info, Agent agent, Instant now) {
        if (terminal.startedAt() == null) {
            if (isOlder(terminal.createdAt(), BEING_MADE, now)) {
                // Nobody was told of it.
                agent.kill(terminal.id(), KILL);
                terminals.abandon(terminal);
            }
        } else if (info == null) {
            if (isOlder(terminal.startedAt(), JUST_STARTED, now)) {
                terminals.ended(terminal.id(), EndReason.LOST, null);
            }
        } else if (!info.getRunning()) {
            terminals.ended(terminal.id(), EndReason.EXITED, info.getExitCode());
        } else if (terminal.ending() != null) {
            insist(terminal, agent, now);
        } else {
            lookAtLive(terminal, info, agent, now);
        }
    }

    private void lookAtLive(Terminal terminal, CommandInfo info, Agent agent, Instant now) {
        var used = usedAt(info, now);
        var active = used.isAfter(terminal.activeAt()) ? used : terminal.activeAt();
        if (isAbandoned(terminal, info, now)) {
            maker.end(terminal, EndReason.USER, agent);
        } else if (now.isAfter(terminal.expiresAt())) {
            maker.end(terminal, EndReason.EXPIRED, agent);
        } else if (!info.getForegroundBusy() && isOlder(active, Duration.ofSeconds(terminal.idleSeconds()), now)) {
            maker.end(terminal, EndReason.IDLE, agent);
        }
    }

    /** A command ends with its client, also where no relay saw the client go, or it said that it would be back. */
    private boolean isAbandoned(Terminal terminal, CommandInfo info, Instant now) {
        if (!info.getUnattended() || !terminal.door().equals(Door.EXEC.wireName())) {
            aloneSince.remove(terminal.id());
            return false;
        }
        return isOlder(aloneSince.computeIfAbsent(terminal.id(), _ -> now), settings.getHold(), now);
    }

    /** Somebody is ending it, or was when the relay died. */
    private void insist(Terminal terminal, Agent agent, Instant now) {
        var since = endingSince.computeIfAbsent(terminal.id(), _ -> now);
        if (isOlder(since, settings.getKillAfter().plus(settings.getLookEvery()), now)) {
            agent.kill(terminal.id(), KILL);
        }
    }

    private static boolean isOlder(Instant since, Duration than, Instant now) {
        return Duration.between(since, now).compareTo(than) > 0;
    }

    @PreDestroy
    void close() {
        loop.stop();
    }
}
