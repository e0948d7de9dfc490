package io.bivouac.sandboxes.lifecycle;

import io.bivouac.foundation.database.AdvisoryLock;
import io.bivouac.foundation.database.DatabaseSettings;
import io.bivouac.foundation.database.Outage;
import io.bivouac.foundation.loop.Loop;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Requires;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import java.sql.SQLException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls the expiry sweep every second and the housekeeping every hour, in whichever process holds the lock. */
@Context
@Requires(property = "bivouac.background", notEquals = "false")
class TimedWork {
    private static final Logger LOG = LoggerFactory.getLogger(TimedWork.class);
    private static final Duration SWEEP_EVERY = Duration.ofSeconds(1);
    private static final int SWEEPS_PER_HOUSEKEEPING = 3_600;

    private final Expiry expiry;
    private final Housekeeping housekeeping;
    private final AdvisoryLock lock;
    private final Loop loop = new Loop(
            "timed-work", this::sweep, SWEEP_EVERY, new Outage(LOG, "Timed work failed", "Timed work goes on"));
    private long sweeps;

    TimedWork(Expiry expiry, Housekeeping housekeeping, DatabaseSettings database) {
        this.expiry = expiry;
        this.housekeeping = housekeeping;
        this.lock = new AdvisoryLock(database.parsed(), "timed-work");
    }

    @PostConstruct
    void start() {
        loop.startAfter(SWEEP_EVERY);
    }

    private Duration sweep() throws SQLException {
        sweeps++;
        if (lock.holds()) {
            expiry.sweep();
            if (sweeps % SWEEPS_PER_HOUSEKEEPING == 0) {
                housekeeping.run();
            }
        }
        return SWEEP_EVERY;
    }

    @PreDestroy
    void close() {
        loop.stop();
        lock.close();
    }
}
