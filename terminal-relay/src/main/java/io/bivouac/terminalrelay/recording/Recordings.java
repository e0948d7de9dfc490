package io.bivouac.terminalrelay.recording;

import io.bivouac.agent.v1.Attach;
import io.bivouac.agentlink.Agent;
import io.bivouac.agentlink.AgentConnections;
import io.bivouac.foundation.database.Outage;
import io.bivouac.foundation.loop.Loop;
import io.bivouac.foundation.paging.Page;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SortableId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.context.annotation.Value;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.runtime.event.annotation.EventListener;
import io.micronaut.runtime.server.event.ServerStartupEvent;
import io.micronaut.transaction.TransactionOperations;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import org.reactivestreams.Publisher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Records the terminals that ask for it and whose agents are connected here. One thread starts recorders and stores
 * what they have seen; after a crash the next relay goes on where the stored part ends.
 */
@Singleton
public class Recordings {
    private static final Logger LOG = LoggerFactory.getLogger(Recordings.class);
    private static final Duration STORE_EVERY = Duration.ofSeconds(1);
    private static final int MOST_AT_ONCE = 200;

    /** As long as an agent keeps the output of a command that has ended. */
    private static final Duration REMEMBERED = Duration.ofMinutes(5);

    private final RecordingRows rows;
    private final RecordingParts parts;
    private final AgentConnections agents;
    private final TransactionOperations<Connection> transactions;
    private final Clock clock;
    private final long limit;
    private final Map<String, Keeper> recorders = new HashMap<>();
    private final Loop loop = new Loop(
            "recordings",
            this::record,
            STORE_EVERY,
            new Outage(LOG, "Recording terminals failed", "Terminals are recorded again"));

    Recordings(
            RecordingRows rows,
            RecordingParts parts,
            AgentConnections agents,
            TransactionOperations<Connection> transactions,
            Clock clock,
            @Value("${bivouac.terminal.recording-bytes:16777216}") long limit) {
        this.rows = rows;
        this.parts = parts;
        this.agents = agents;
        this.transactions = transactions;
        this.clock = clock;
        this.limit = limit;
    }

    /** A project's recorded terminals, the newest first; of one sandbox or all. */
    public Page<RecordedTerminal> list(String project, @Nullable String sandbox, @Nullable String cursor, int limit) {
        return Page.of(rows.page(project, sandbox, cursor, limit + 1), limit, RecordedTerminal::terminalId);
    }

    /** A terminal's recording, part by part as it is asked for. */
    public Publisher<byte[]> read(String terminal) {
        var recording = rows.find(terminal)
                .orElseThrow(() ->
                        new BivouacException(ErrorCode.RECORDING_NOT_FOUND, ErrorCode.RECORDING_NOT_FOUND.title()));
        return Flux.range(0, recording.parts())
                .concatMap(
                        part -> Mono.fromCallable(() ->
                                        parts.find(terminal, part).orElseThrow().data())
                                .subscribeOn(Schedulers.boundedElastic()),
                        1);
    }

    @EventListener
    void start(ServerStartupEvent event) {
        loop.startAfter(STORE_EVERY);
    }

    private Duration record() {
        begin();
        store();
        return STORE_EVERY;
    }

    private void begin() {
        for (var wanted : rows.wanted(clock.instant().minus(REMEMBERED), MOST_AT_ONCE)) {
            var words = wanted.split(" ");
            var agent = agents.find(new SandboxId(words[1]));
            if (agent.isPresent() && !recorders.containsKey(words[0])) {
                try {
                    begin(words, agent.get());
                } catch (RuntimeException later) {
                    LOG.info("{}: its recording is yet to begin: {}", words[0], later.getMessage());
                }
            }
        }
    }

    private void begin(String[] words, Agent agent) {
        rows.begin(words[0], clock.instant().truncatedTo(ChronoUnit.MICROS));
        var recording = rows.find(words[0]).orElseThrow();
        boolean sealed = words[4].equals("sealed");
        Keeper recorder = sealed
                ? new SealedRecorder(recording)
                : new Recorder(recording, Integer.parseInt(words[2]), Integer.parseInt(words[3]), clock);
        agent.attach(
                Attach.newBuilder()
                        .setCommandId(words[0])
                        .setStdout(true)
                        .setStdoutOffset(recording.nextOffset())
                        .setRecording(sealed)
                        .setInputSource(SortableId.next("rec_")),
                recorder);
        // An agent that took no order just now is asked again.
        recorders.put(words[0], recorder);
    }

    private void store() {
        for (var entry : Map.copyOf(recorders).entrySet()) {
            if (!goesOn(entry.getKey(), entry.getValue())) {
                recorders.remove(entry.getKey());
            }
        }
    }

    /** Stores what a recorder has seen; false when it is done, or somebody has to begin again where the store ends. */
    private boolean goesOn(String terminal, Keeper recorder) {
        var piece = recorder.take();
        if (piece == null) {
            return !recorder.isOver();
        }
        try {
            if (!store(terminal, piece)) {
                recorder.leave();
                return false;
            }
        } catch (RuntimeException notStored) {
            LOG.warn("{}: its recording begins again where it was stored: {}", terminal, notStored.getMessage());
            recorder.leave();
            return false;
        }
        if (!piece.complete() && rows.find(terminal).map(Recording::size).orElse(0L) > limit) {
            recorder.stop("the recording ends here: it may have " + limit + " bytes");
        }
        return !piece.complete();
    }

    /** False when another relay has taken over. */
    private boolean store(String terminal, Keeper.Piece piece) {
        return transactions.executeWrite(_ -> {
            int part = rows.find(terminal).map(Recording::parts).orElse(-1);
            var now = clock.instant().truncatedTo(ChronoUnit.MICROS);
            if (rows.grow(terminal, part, piece.nextOffset(), piece.data().length, now, piece.complete()) == 0) {
                return false;
            }
            parts.add(terminal, part, piece.data());
            return true;
        });
    }

    @PreDestroy
    void close() {
        loop.stop();
        recorders.values().forEach(Keeper::leave);
    }
}
