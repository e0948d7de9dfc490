package io.bivouac.foundation.audit;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import io.micronaut.context.annotation.Value;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes refused acts down. Anybody can have something refused, so each actor has so many rows a minute, and those of a
 * pool ten times as many together; those without a row are counted in the next one. Thread-safe.
 */
@Singleton
public class Refusals {
    private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);
    private static final int REMEMBERED = 10_000;
    private static final int ACTORS_AT_ONCE = 10;

    /**
     * Rows that are written at once. Those of a project wait for each other, each with a connection in its hand; all of
     * them would leave none for requests.
     */
    private static final int WRITTEN_AT_ONCE = 2;

    private static final Duration GUESTS_REMEMBERED = Duration.ofDays(1);

    private final Audit audit;
    private final LoadingCache<String, RowBudget> byShare;
    private final LoadingCache<String, RowBudget> byPool;
    private final Semaphore writing = new Semaphore(WRITTEN_AT_ONCE, true);
    private final Cache<String, Boolean> guests = Caffeine.newBuilder()
            .maximumSize(REMEMBERED)
            .expireAfterWrite(GUESTS_REMEMBERED)
            .build();

    Refusals(Audit audit, Clock clock, @Value("${bivouac.refusals-audited:60}") int perActor) {
        this.audit = audit;
        this.byShare = budgets(perActor, clock);
        this.byPool = budgets(perActor * ACTORS_AT_ONCE, clock);
    }

    private static LoadingCache<String, RowBudget> budgets(int most, Clock clock) {
        return Caffeine.newBuilder()
                .maximumSize(REMEMBERED)
                .expireAfterAccess(Duration.ofHours(1))
                .executor(Runnable::run)
                .<String, RowBudget>evictionListener((who, budget, _) -> budget.forgotten(who))
                .build(_ -> new RowBudget(most, clock));
    }

    /** A Pod has let this WebID in: from now on strangers do not use up its rows. */
    public void admitted(String webId) {
        guests.put(webId, true);
    }

    /** Somebody who came with a WebID. */
    public RefusedActor visitor(String webId) {
        return guests.getIfPresent(webId) == null ? RefusedActor.stranger(webId) : RefusedActor.guest(webId);
    }

    /**
     * Beside the request that it came with. Never waits: the network's own threads may call it.
     *
     * @param project whose audit it is, which may take a moment to find out
     */
    public void note(Supplier<String> project, RefusedActor actor, String action, String subject, String detail) {
        long missed = take(actor);
        if (missed < 0) {
            return;
        }
        Thread.ofVirtual().name("refusal").start(() -> {
            // The budgets bound how many wait here.
            writing.acquireUninterruptibly();
            try {
                audit.append(project.get(), actor.name(), action, subject, detail + RowBudget.mention(missed));
            } catch (RuntimeException away) {
                LOG.warn("{} by {} has no row in the audit: {}", action, actor.name(), away.getMessage());
            } finally {
                writing.release();
            }
        });
    }

    /** Before the request is answered, within the same budget. */
    public void write(String project, RefusedActor actor, String action, String subject, String detail) {
        long missed = take(actor);
        if (missed >= 0) {
            audit.append(project, actor.name(), action, subject, detail + RowBudget.mention(missed));
        }
    }

    /** From both budgets or from none, so that what was missed stays counted until a row tells it. */
    private synchronized long take(RefusedActor actor) {
        var own = byShare.get(actor.share());
        var common = byPool.get(actor.pool());
        if (!own.hasPlace()) {
            return own.miss();
        }
        return common.hasPlace() ? own.take() + common.take() : common.miss();
    }
}
