package io.bivouac.terminalrelay.terminal;

import io.bivouac.agentlink.Agent;
import io.bivouac.foundation.access.Caller;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.terminalrelay.sealed.SealingRule;
import io.bivouac.terminalrelay.terminal.TerminalPlaces.NoPlace;
import io.bivouac.terminalrelay.terminal.Terminals.Wish;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes terminals and has them end. Thread-safe; calls wait, so they belong on no network thread. */
@Singleton
public class TerminalMaker {
    private static final Logger LOG = LoggerFactory.getLogger(TerminalMaker.class);
    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final int TERM = 15;

    private final Terminals terminals;
    private final IdleTerminals idle;
    private final SealingRule sealings;
    private final TerminalSettings settings;
    private final TerminalMetrics metrics;

    TerminalMaker(
            Terminals terminals,
            IdleTerminals idle,
            SealingRule sealings,
            TerminalSettings settings,
            TerminalMetrics metrics) {
        this.terminals = terminals;
        this.idle = idle;
        this.sealings = sealings;
        this.settings = settings;
        this.metrics = metrics;
    }

    /** Refuses before anything is made, where something else has to be made first. */
    public void mustHavePlace(Door door, Caller caller) {
        try {
            terminals.mustHavePlace(door, caller);
        } catch (NoPlace full) {
            if (!idle.endOne(door, null, caller)) {
                throw full;
            }
            terminals.mustHavePlace(door, caller);
        }
    }

    private Terminal reserve(Wish wish, Caller caller) {
        try {
            return terminals.reserve(wish, caller);
        } catch (NoPlace full) {
            if (!idle.endOne(wish.door(), wish.sandbox(), caller)) {
                throw full;
            }
            return terminals.reserve(wish, caller);
        }
    }

    /** Starts a terminal; nothing is left of one that could not be started. */
    public Terminal make(Wish wish, Agent agent, Caller caller) {
        return make(wish, agent, caller, _ -> {});
    }

    /** @param beforeStart stores what must be known of the terminal when its program begins */
    public Terminal make(Wish wish, Agent agent, Caller caller, Consumer<Terminal> beforeStart) {
        sealings.check(wish.sealing());
        var reserved = reserve(wish, caller);
        boolean made = false;
        try {
            beforeStart.accept(reserved);
            var start = start(reserved, wish, agent);
            if (!terminals.started(reserved, start)) {
                throw new BivouacException(ErrorCode.CONFLICT, "The terminal was ended while it was being made.");
            }
            made = true;
            metrics.made();
            return terminals.read(reserved.id());
        } finally {
            if (!made) {
                undo(reserved, agent);
            }
        }
    }

    private TerminalStart start(Terminal reserved, Wish wish, Agent agent) {
        var order = wish.order();
        var start = new TerminalStart(reserved.id(), wish.door(), wish.sealing() != null);
        var run = order.run().clone().setCommandId(reserved.id()).setBackground(true);
        run.getTerminalBuilder()
                .setColumns(order.columns())
                .setRows(order.rows())
                .setTerm(order.run().getEnvOrDefault("TERM", ""))
                .setHoldMillis(settings.getHold().toMillis());
        if (wish.sealing() != null) {
            run.getTerminalBuilder().setSealed(wish.sealing().terms());
        }
        agent.start(run, start);
        try {
            start.done().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            return start;
        } catch (ExecutionException refused) {
            throw refused.getCause() instanceof BivouacException reason
                    ? reason
                    : new BivouacException(ErrorCode.PTY_ERROR, "The terminal could not be made.", refused);
        } catch (TimeoutException silent) {
            throw new BivouacException(ErrorCode.UNAVAILABLE, "The sandbox's agent did not answer in time.");
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new BivouacException(ErrorCode.UNAVAILABLE, "The relay is stopping.");
        }
    }

    /** What this cannot undo now, the next look after terminals does. */
    private void undo(Terminal reserved, Agent agent) {
        try {
            agent.kill(reserved.id(), 9);
            terminals.abandon(reserved);
        } catch (RuntimeException later) {
            LOG.debug("{}: left to the next look: {}", reserved.id(), later.getMessage());
        }
    }

    /** The same for whoever need not wait for it: an agent that is away has it end when it is back. */
    public void endWhenReached(Terminal terminal, EndReason why, Supplier<Agent> agent) {
        terminals.ending(terminal.id(), why);
        try {
            end(terminal, why, agent.get());
        } catch (BivouacException away) {
            if (away.code() != ErrorCode.SANDBOX_NOT_RUNNING && away.code() != ErrorCode.UNAVAILABLE) {
                throw away;
            }
            LOG.debug("{}: left to the next look: {}", terminal.id(), away.getMessage());
        }
    }

    /** Ends a terminal: TERM, then KILL. Whoever is attached sees it end. */
    public void end(Terminal terminal, EndReason why, Agent agent) {
        terminals.ending(terminal.id(), why);
        var answer = agent.kill(terminal.id(), TERM, settings.getKillAfter());
        if (!answer.getOk()) {
            // Over already, or unknown to an agent that was started anew.
            terminals.ended(terminal.id(), EndReason.LOST, null);
        }
    }
}
