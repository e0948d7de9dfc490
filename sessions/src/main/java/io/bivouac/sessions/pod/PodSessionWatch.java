package io.bivouac.sessions.pod;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import io.bivouac.foundation.access.TrustedOrigins;
import io.bivouac.foundation.database.Outage;
import io.bivouac.foundation.loop.Loop;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import io.bivouac.sessions.acl.Requester;
import io.bivouac.terminalrelay.terminal.Revocation;
import io.micronaut.runtime.event.annotation.EventListener;
import io.micronaut.runtime.server.event.ServerStartupEvent;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks Pods' ACLs again while sessions run: what is no longer granted is ended, what is granted for a shorter time
 * is cut, and what its sandbox sees of the Pod is granted anew. Any relay may do it, and it does not matter if several do.
 */
@Singleton
class PodSessionWatch {
    private static final Logger LOG = LoggerFactory.getLogger(PodSessionWatch.class);

    /** Whoever makes a session has written its grant by then. */
    private static final Duration BEING_MADE = Duration.ofSeconds(30);

    /** Of each Pod, so that one that is slow holds up its own sessions only. */
    private static final int AT_ONCE = 8;

    private final PodSessionRows rows;
    private final Pods pods;
    private final PodTerminalRules access;
    private final PodViews views;
    private final TrustedOrigins origins;
    private final Revocation revocation;
    private final PodSettings settings;
    private final Clock clock;
    private final Map<String, Instant> asking = new ConcurrentHashMap<>();
    /** A Pod's is forgotten when nobody asks there. */
    private final LoadingCache<String, Semaphore> places =
            Caffeine.newBuilder().weakValues().build(_ -> new Semaphore(AT_ONCE));

    private final Loop loop;

    PodSessionWatch(
            PodSessionRows rows,
            Pods pods,
            PodTerminalRules access,
            PodViews views,
            TrustedOrigins origins,
            Revocation revocation,
            PodSettings settings,
            Clock clock) {
        this.rows = rows;
        this.pods = pods;
        this.access = access;
        this.views = views;
        this.origins = origins;
        this.revocation = revocation;
        this.settings = settings;
        this.clock = clock;
        this.loop = new Loop(
                "pod-sessions",
                this::askAll,
                settings.getAskEvery(),
                new Outage(LOG, "Asking Pods about sessions failed", "Pods are asked about sessions again"));
    }

    @EventListener
    void start(ServerStartupEvent event) {
        loop.startAfter(settings.getAskEvery());
    }

    private Duration askAll() {
        rows.live().forEach(this::askBeside);
        rows.withoutGrant(clock.instant().minus(BEING_MADE))
                .forEach(id -> revocation.revoke(id, "nobody was told of it"));
        return settings.getAskEvery();
    }

    /** Does not wait for the answer; a session whose Pod gives none is not asked about twice at a time. */
    private void askBeside(PodSession session) {
        var since = asking.putIfAbsent(session.terminalId(), clock.instant());
        if (since != null) {
            if (isTooLong(since)) {
                revocation.revoke(session.terminalId(), "The Pod cannot be asked: it takes too long.");
            }
            return;
        }
        Thread.ofVirtual().name("pod-session").start(() -> {
            var place = places.get(session.pod());
            place.acquireUninterruptibly();
            try {
                ask(session);
            } catch (RuntimeException failed) {
                if (!loop.isStopping()) {
                    LOG.warn("Asking about {} failed, trying again", session.terminalId(), failed);
                }
            } finally {
                place.release();
                asking.remove(session.terminalId());
            }
        });
    }

    private boolean isTooLong(Instant since) {
        return Duration.between(since, clock.instant()).compareTo(settings.getUnreadable()) > 0;
    }

    private void ask(PodSession session) {
        try {
            var pod = pods.find(session.pod()).orElseThrow(() -> new PodUnreadable("this relay no longer serves it"));
            var origin = session.origin();
            var requester = new Requester(session.visitor(), origin, origin != null && origins.include(origin));
            var grant = access.mustGrant(pod, session.ask(), requester);
            var sandbox = rows.sandbox(session.terminalId());
            if (sandbox.isPresent()) {
                views.refresh(SandboxId.parse(sandbox.get()), grant);
            }
            rows.granted(session.terminalId(), clock.instant(), SessionPermissions.of(grant));
            if (grant.longest() != null) {
                revocation.cut(session.terminalId(), grant.longest());
            }
        } catch (RuntimeFailure gone) {
            LOG.info("What {} may see of its Pod could not be told: {}", session.terminalId(), gone.getMessage());
        } catch (BivouacException refusal) {
            revocation.revoke(session.terminalId(), refusal.getMessage());
        } catch (PodUnreadable unreadable) {
            if (isTooLong(session.grantedAt())) {
                revocation.revoke(session.terminalId(), "The Pod cannot be asked: " + unreadable.getMessage() + ".");
            }
        }
    }

    @PreDestroy
    void close() {
        loop.stop();
    }
}
