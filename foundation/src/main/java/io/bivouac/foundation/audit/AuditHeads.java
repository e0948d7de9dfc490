package io.bivouac.foundation.audit;

import io.bivouac.foundation.database.Outage;
import io.bivouac.foundation.loop.Loop;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Value;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the newest hash of each project's chain into the log. Whoever can change the audit's table could take its
 * newest rows away, or make a whole new chain; the log, kept elsewhere, then tells.
 */
@Context
class AuditHeads {
    private static final Logger LOG = LoggerFactory.getLogger(AuditHeads.class);

    private final AuditRows rows;
    private final Duration every;
    private final Loop loop;
    private final Map<String, Long> told = new HashMap<>();

    AuditHeads(AuditRows rows, @Value("${bivouac.audit-heads-every:1h}") Duration every) {
        this.rows = rows;
        this.every = every;
        this.loop = new Loop(
                "audit-heads",
                this::tell,
                every,
                new Outage(
                        LOG, "The audit's newest hashes cannot be read", "The audit's newest hashes are read again"));
    }

    @PostConstruct
    void start() {
        loop.startAfter(every);
    }

    /** Those that have changed since they were last told. */
    private Duration tell() {
        for (var head : rows.heads()) {
            Long before = told.put(head.projectId(), head.sequence());
            if (before == null || before != head.sequence()) {
                LOG.info(
                        "Audit of {}: row {} has the hash {}",
                        head.projectId(),
                        head.sequence(),
                        HexFormat.of().formatHex(head.hash()));
            }
        }
        return every;
    }

    @PreDestroy
    void stop() {
        loop.stop();
    }
}
