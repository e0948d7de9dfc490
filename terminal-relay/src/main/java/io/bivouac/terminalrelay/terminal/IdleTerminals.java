package io.bivouac.terminalrelay.terminal;

import io.bivouac.agent.v1.CommandInfo;
import io.bivouac.agentlink.Agent;
import io.bivouac.agentlink.AgentConnections;
import io.bivouac.foundation.access.Caller;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.micronaut.core.annotation.Nullable;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends an idle terminal to make room for a new one: a shell that somebody left behind must not lock anybody out. Idle
 * means that nobody is attached, nothing runs in the foreground, and nothing was typed or shown for a while; the agent
 * is asked. Only the caller's own give way, and those in the same sandbox. Thread-safe.
 */
@Singleton
class IdleTerminals {
    private static final Logger LOG = LoggerFactory.getLogger(IdleTerminals.class);

    /** How many are looked at for one that is wanted. */
    private static final int CANDIDATES = 16;

    /** What a shell gets when its terminal is closed. */
    private static final int HANGUP = 1;

    private static final Duration KILL_AFTER = Duration.ofSeconds(1);

    private final TerminalRows rows;
    private final Terminals terminals;
    private final AgentConnections agents;
    private final TerminalSettings settings;

    IdleTerminals(TerminalRows rows, Terminals terminals, AgentConnections agents, TerminalSettings settings) {
        this.rows = rows;
        this.terminals = terminals;
        this.agents = agents;
        this.settings = settings;
    }

    /** Whether one was ended; its place is free then. */
    boolean endOne(Door door, @Nullable SandboxId sandbox, Caller caller) {
        var before = terminals.now().minus(settings.getIdleAfter());
        return candidates(door, sandbox, caller, before).stream().anyMatch(terminal -> endIfIdle(terminal, before));
    }

    private List<Terminal> candidates(Door door, @Nullable SandboxId sandbox, Caller caller, Instant before) {
        // A guest ends nobody else's, and only sessions count against the limits of sessions.
        var shared = sandbox == null || caller.isGuest() ? "" : sandbox.value();
        var kind = door == Door.SESSION ? door.wireName() : null;
        return rows.quiet(caller.project(), caller.id(), shared, kind, before, CANDIDATES);
    }

    private boolean endIfIdle(Terminal terminal, Instant before) {
        try {
            var agent = agents.find(terminal.sandbox());
            return agent.isPresent() && isIdle(terminal, agent.get(), before) && end(terminal, agent.get());
        } catch (BivouacException away) {
            LOG.debug("{}: cannot be looked at: {}", terminal.id(), away.getMessage());
            return false;
        }
    }

    private static boolean isIdle(Terminal terminal, Agent agent, Instant before) {
        return agent.commands().stream()
                .filter(info -> info.getCommandId().equals(terminal.id()))
                .anyMatch(info -> isIdle(info, before));
    }

    private static boolean isIdle(CommandInfo info, Instant before) {
        return info.getRunning()
                && info.getUnattended()
                && !info.getForegroundBusy()
                && Instant.ofEpochMilli(info.getActiveUnixMillis()).isBefore(before);
    }

    private boolean end(Terminal terminal, Agent agent) {
        LOG.info("{}: ended while idle, to make room for another", terminal.id());
        agent.kill(terminal.id(), HANGUP, KILL_AFTER);
        terminals.ended(terminal.id(), EndReason.IDLE, null);
        return true;
    }
}
