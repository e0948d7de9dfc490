package io.bivouac.foundation.audit;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import io.micronaut.context.annotation.Value;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes refused acts down, beside the request that they came with. Anybody can have something refused, so each actor
 * has so many rows a minute and all together ten times as many; those without a row are counted in the actor's next one.
 * Thread-safe.
 */
@Singleton
public class Refusals {
    private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);
    private static final int REMEMBERED = 10_000;
    private static final int ACTORS_AT_ONCE = 10;

    private final Audit audit;
    private final RowBudget all;
    private final LoadingCache<String, RowBudget> byActor;

    Refusals(Audit audit, Clock clock, @Value("${bivouac.refusals-audited:60}") int perActor) {
        this.audit = audit;
        this.all = new RowBudget(perActor * ACTORS_AT_ONCE, clock);
        this.byActor = Caffeine.newBuilder()
                .maximumSize(REMEMBERED)
                .expireAfterAccess(Duration.ofHours(1))
                .build(_ -> new RowBudget(perActor, clock));
    }

    /**
     * Never waits: the network's own threads may call it.
     *
     * @param project whose audit it is, which may take a moment to find out
     */
    public void note(Supplier<String> project, String actor, String action, String subject, String detail) {
        long missed = byActor.get(actor).take();
        if (missed < 0 || all.take() < 0) {
            return;
        }
        Thread.ofVirtual().name("refusal").start(() -> {
            try {
                audit.append(project.get(), actor, action, subject, detail + RowBudget.mention(missed));
            } catch (RuntimeException away) {
                LOG.warn("{} by {} has no row in the audit: {}", action, actor, away.getMessage());
            }
        });
    }
}
