package io.bivouac.webhooks.delivery;

import io.bivouac.foundation.database.Outage;
import io.bivouac.foundation.fault.FaultPoint;
import io.bivouac.webhooks.delivery.Outcome.State;
import io.micronaut.data.connection.jdbc.advice.DelegatingDataSource;
import io.micronaut.json.JsonMapper;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores what became of deliveries, many at a time, and only then tells whoever waits for them. While the database is
 * away outcomes stay in the queue: the dispatcher stops reading long before there are too many. Thread-safe.
 */
@Singleton
public class Ledger {
    private static final Logger LOG = LoggerFactory.getLogger(Ledger.class);
    private static final int BATCH = 500;
    private static final long RETRY_MILLIS = 250;
    private static final long LOOK_EVERY_MILLIS = 500;

    /** Nobody waits for a row but the offset behind it: a few large commits leave the disk to those who do. */
    private static final long GATHER_MILLIS = 20;

    private final DataSource database;
    private final LedgerStatement statement;
    /** Holds at most one outcome for each delivery in hand, and the dispatcher bounds those. */
    private final LinkedBlockingQueue<Outcome> queue = new LinkedBlockingQueue<>();

    private final List<Consumer<List<Outcome>>> listeners = new CopyOnWriteArrayList<>();
    private final Outage outage =
            new Outage(LOG, "Deliveries wait to be written down", "Deliveries are written down again");
    private final Thread thread =
            Thread.ofPlatform().name("webhook-ledger").daemon().unstarted(this::run);
    private volatile boolean closed;
    private volatile int writing;

    Ledger(DataSource database, JsonMapper json) {
        // The injected pool wants a transaction around it; a batch is its own.
        this.database = DelegatingDataSource.unwrapDataSource(database);
        this.statement = new LedgerStatement(json);
    }

    @PostConstruct
    void start() {
        thread.start();
    }

    public void add(Outcome outcome) {
        queue.add(outcome);
    }

    /** Outcomes that are not stored yet. */
    public int pending() {
        return queue.size() + writing;
    }

    /** Is told what has been stored, on the ledger's own thread. */
    public void listen(Consumer<List<Outcome>> listener) {
        listeners.add(listener);
    }

    private void run() {
        try {
            while (!closed || !queue.isEmpty()) {
                var batch = nextBatch();
                if (!batch.isEmpty()) {
                    store(batch);
                    writing = 0;
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private List<Outcome> nextBatch() throws InterruptedException {
        var first = queue.poll(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS);
        if (first == null) {
            return List.of();
        }
        writing = 1;
        if (!isAwaited(first) && queue.size() < BATCH && !closed) {
            TimeUnit.MILLISECONDS.sleep(GATHER_MILLIS);
        }
        var batch = new ArrayList<Outcome>();
        batch.add(first);
        writing = queue.size() + 1;
        queue.drainTo(batch, BATCH - 1);
        writing = batch.size();
        return batch;
    }

    /** In strict order the next delivery goes when this one is written down. */
    private static boolean isAwaited(Outcome outcome) {
        return outcome.delivery().endpoint().manner().fifo();
    }

    private void store(List<Outcome> batch) throws InterruptedException {
        for (var part : withoutDoubles(batch)) {
            storeUntilItIsDone(part);
            FaultPoint.BEFORE_OFFSET_COMMIT.pass();
            part.forEach(outcome -> outcome.delivery().settlement().settled());
            listeners.forEach(listener -> listener.accept(part));
        }
    }

    private void storeUntilItIsDone(List<Outcome> part) throws InterruptedException {
        while (true) {
            try {
                write(part);
                outage.works();
                return;
            } catch (SQLException | RuntimeException failed) {
                if (isOfTheData(failed)) {
                    storeApart(part, failed);
                    return;
                }
                outage.failed(failed);
                TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
            }
        }
    }

    private void write(List<Outcome> part) throws SQLException {
        try (var connection = database.getConnection()) {
            connection.setAutoCommit(false);
            statement.execute(connection, part);
            if (part.stream().anyMatch(outcome -> outcome.state() == State.WAITING)) {
                FaultPoint.MID_PARK.pass();
            }
            connection.commit();
        }
    }

    /** SQLSTATE class 22: it would be refused for ever. */
    private static boolean isOfTheData(Exception failed) {
        return failed instanceof SQLException refused
                && refused.getSQLState() != null
                && refused.getSQLState().startsWith("22");
    }

    /** What one receiver made unwritable must not hold up everybody's deliveries. */
    private void storeApart(List<Outcome> part, Exception refused) throws InterruptedException {
        if (part.size() > 1) {
            for (var outcome : part) {
                storeUntilItIsDone(List.of(outcome));
            }
            return;
        }
        var outcome = part.getFirst();
        if (outcome.attempt() != null
                && !outcome.attempt().equals(outcome.attempt().wordless())) {
            LOG.warn(
                    "The answer to {} cannot be written down: {}",
                    outcome.delivery().id(),
                    refused.getMessage());
            storeUntilItIsDone(List.of(outcome.wordless()));
        } else {
            LOG.error(
                    "Delivery {} is lost, it cannot be written down",
                    outcome.delivery().id(),
                    refused);
        }
    }

    /** The same delivery twice at once comes of an event that was published twice: one after the other, then. */
    private static List<List<Outcome>> withoutDoubles(List<Outcome> batch) {
        var parts = new ArrayList<List<Outcome>>();
        var rest = batch;
        while (!rest.isEmpty()) {
            var seen = new HashSet<String>();
            var part = new ArrayList<Outcome>(rest.size());
            var later = new ArrayList<Outcome>();
            for (var outcome : rest) {
                (seen.add(outcome.delivery().id()) ? part : later).add(outcome);
            }
            parts.add(part);
            rest = later;
        }
        return parts;
    }

    @PreDestroy
    void close() throws InterruptedException {
        closed = true;
        thread.join(TimeUnit.SECONDS.toMillis(3));
        thread.interrupt();
    }
}
