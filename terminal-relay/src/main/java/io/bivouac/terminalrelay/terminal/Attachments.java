package io.bivouac.terminalrelay.terminal;

import io.bivouac.agent.v1.Run;
import io.bivouac.agentlink.Agent;
import io.bivouac.agentlink.AgentConnections;
import io.bivouac.foundation.access.Caller;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.terminalrelay.wire.Codec;
import io.bivouac.terminalrelay.wire.ToClient;
import io.micronaut.core.annotation.Nullable;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The clients that are attached at this relay. Thread-safe. */
@Singleton
public class Attachments {
    private static final Logger LOG = LoggerFactory.getLogger(Attachments.class);

    /** An agent has so long to come back; its sandbox counts as lost after the same time. */
    private static final Duration AGENT_RETURNS = Duration.ofSeconds(30);

    private static final long PAUSE_MILLIS = 100;

    private final AgentConnections agents;
    private final Terminals terminals;
    private final TerminalMaker maker;
    private final TerminalMetrics metrics;
    private final Set<Attached> all = ConcurrentHashMap.newKeySet();
    private volatile boolean leaving;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    Attachments(AgentConnections agents, Terminals terminals, TerminalMaker maker, TerminalMetrics metrics) {
        this.agents = agents;
        this.terminals = terminals;
        this.maker = maker;
        this.metrics = metrics;
    }

    /** Attaches a client; what it hears begins as soon as the agent answers. */
    public Listening join(Terminal terminal, Seat seat, Client client, Codec codec) {
        var output = new OutputLine(client, codec, seat.credit(), metrics);
        metrics.joined();
        if (terminal.sealed()) {
            var sealed = new SealedAttachment(terminal, seat, client, output, this);
            add(sealed);
            run(sealed::attach);
            return sealed;
        }
        var attachment = new Attachment(terminal, seat, client, output, this);
        add(attachment);
        run(attachment::attach);
        return attachment;
    }

    private void add(Attached attached) {
        all.add(attached);
        if (leaving) {
            attached.dismiss();
        }
    }

    /** Who is attached at this relay, by terminal. */
    public Map<String, List<Seat>> seats() {
        return all.stream()
                .collect(Collectors.groupingBy(
                        one -> one.terminal().id(), Collectors.mapping(Attached::seat, Collectors.toList())));
    }

    /** Starts a command for a client that wants no terminal. */
    public Listening exec(Agent agent, Run.Builder run, Client client, Codec codec) {
        var exec = new PlainExec(
                run.getCommandId(), client, new OutputLine(client, codec, Seat.UNLIMITED, metrics), metrics);
        metrics.joined();
        run(() -> {
            try {
                exec.ordered(agent.start(run.setStdin(true), exec));
            } catch (RuntimeException failed) {
                var refused = told(run.getCommandId(), failed);
                exec.end(
                        new ToClient.Failed(refused.code(), refused.getMessage()),
                        WebSocketCloseStatus.TRY_AGAIN_LATER);
            }
        });
        return exec;
    }

    /** Makes a terminal for this client alone and attaches it; what it types meanwhile waits. */
    public Listening make(Terminals.Wish wish, Agent agent, Caller caller, Seat seat, Client client, Codec codec) {
        var coming = new ComingTerminal(client, codec);
        run(() -> {
            try {
                coming.came(join(maker.make(wish, agent, caller), seat, client, codec));
            } catch (BivouacException refused) {
                coming.failed(refused, WebSocketCloseStatus.NORMAL_CLOSURE);
            } catch (RuntimeException failed) {
                coming.failed(told(wish.sandbox().value(), failed), WebSocketCloseStatus.TRY_AGAIN_LATER);
            } finally {
                client.goOn();
            }
        });
        return coming;
    }

    /** Gives the agent to the order as soon as there is one, trying again while that may help. */
    void reach(Terminal terminal, BooleanSupplier isOver, Consumer<Agent> order) {
        long deadline = System.nanoTime() + AGENT_RETURNS.toNanos();
        while (!isOver.getAsBoolean()) {
            try {
                order.accept(agents.get(terminal.sandbox()));
                return;
            } catch (BivouacException notYet) {
                if (notYet.code() != ErrorCode.UNAVAILABLE || System.nanoTime() - deadline > 0) {
                    throw notYet;
                }
                pause();
            } catch (RuntimeException failed) {
                throw told(terminal.id(), failed);
            }
        }
    }

    /** What a client hears of it. A database that is away would otherwise end our thread, and the client wait for ever. */
    private static BivouacException told(String whose, RuntimeException failed) {
        if (failed instanceof BivouacException refused) {
            return refused;
        }
        LOG.warn("{}: a client could not be served", whose, failed);
        return new BivouacException(ErrorCode.UNAVAILABLE, ErrorCode.UNAVAILABLE.title());
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new BivouacException(ErrorCode.CONFLICT, "The relay is stopping; connect again.");
        }
    }

    void run(Runnable work) {
        try {
            threads.execute(() -> metrics.during(work));
        } catch (RejectedExecutionException stopping) {
            LOG.debug("Not done, since the relay is stopping");
        }
    }

    void left(Attached attachment) {
        if (all.remove(attachment)) {
            metrics.left();
        }
    }

    /** The row of a terminal that has ended; null when the database cannot be asked right now. */
    @Nullable Terminal ended(Terminal terminal, int code) {
        try {
            return terminals.ended(terminal.id(), EndReason.EXITED, code).orElse(null);
        } catch (RuntimeException later) {
            LOG.warn("{}: its end is yet to be stored: {}", terminal.id(), later.getMessage());
            return null;
        }
    }

    void lost(Terminal terminal) {
        try {
            terminals.ended(terminal.id(), EndReason.LOST, null);
        } catch (RuntimeException later) {
            LOG.warn("{}: its loss is yet to be stored: {}", terminal.id(), later.getMessage());
        }
    }

    /** Ends a terminal whose client will not come back. */
    void endLater(Terminal terminal) {
        run(() -> {
            try {
                reach(terminal, () -> false, agent -> maker.end(terminal, EndReason.USER, agent));
            } catch (RuntimeException idle) {
                LOG.debug("{}: will end when it is idle: {}", terminal.id(), idle.getMessage());
            }
        });
    }

    TerminalMetrics metrics() {
        return metrics;
    }

    /** This relay stops: its clients, and those who still come, are told to connect elsewhere. */
    public void dismissAll() {
        leaving = true;
        all.forEach(Attached::dismiss);
    }

    @PreDestroy
    void close() {
        dismissAll();
        threads.shutdownNow();
    }
}
