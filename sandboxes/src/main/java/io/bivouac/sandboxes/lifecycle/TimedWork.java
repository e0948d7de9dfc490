package io.bivouac.sandboxes.lifecycle;

import io.bivouac.foundation.database.AdvisoryLock;
import io.bivouac.foundation.database.DatabaseSettings;
import io.bivouac.foundation.database.Outage;
import io.micronaut.context.annotation.Context;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls the expiry sweep every second and the housekeeping every hour, in whichever process holds the lock. */
@Context
class TimedWork {
    private static final Logger LOG = LoggerFactory.getLogger(TimedWork.class);
    private static final long SWEEP_MILLIS = 1_000;
    private static final int SWEEPS_PER_HOUSEKEEPING = 3_600;

    private final Expiry expiry;
    private final Housekeeping housekeeping;
    private final AdvisoryLock lock;
    private final Thread thread =
            Thread.ofPlatform().name("timed-work").daemon().unstarted(this::run);
    private final Outage outage = new Outage(LOG);
    private volatile boolean closed;

    TimedWork(Expiry expiry, Housekeeping housekeeping, DatabaseSettings database) {
        this.expiry = expiry;
        this.housekeeping = housekeeping;
        this.lock = new AdvisoryLock(database.parsed(), "timed-work");
    }

    @PostConstruct
    void start() {
        thread.start();
    }

    private void run() {
        for (long sweep = 1; !closed; sweep++) {
            try {
                Thread.sleep(SWEEP_MILLIS);
                if (lock.holds()) {
                    expiry.sweep();
                    outage.works("Timed work goes on");
                    if (sweep % SWEEPS_PER_HOUSEKEEPING == 0) {
                        housekeeping.run();
                    }
                }
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                return;
            } catch (SQLException | RuntimeException failed) {
                if (!closed) {
                    outage.failed("Timed work failed", failed);
                }
            }
        }
    }

    @PreDestroy
    void close() {
        closed = true;
        thread.interrupt();
        lock.close();
    }
}
