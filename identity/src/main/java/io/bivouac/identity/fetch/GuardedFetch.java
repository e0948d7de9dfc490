package io.bivouac.identity.fetch;

import io.bivouac.foundation.network.AddressGuard;
import io.bivouac.foundation.network.AddressRefused;
import io.bivouac.foundation.network.GuardedDialer;
import io.bivouac.foundation.share.Bounds;
import io.bivouac.foundation.share.ShareMetrics;
import io.bivouac.foundation.share.ShareTaken;
import io.bivouac.foundation.share.Shares;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.annotation.Value;
import io.micronaut.core.annotation.Nullable;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** Fetches documents, past the guard. Calls wait, so they belong on no network thread. Thread-safe. */
@Singleton
public class GuardedFetch {
    /** For the whole of a fetch, with its redirects. */
    static final Duration LONGEST = Duration.ofSeconds(5);

    private static final int MOST_REDIRECTS = 3;

    /**
     * Strangers may make us fetch: so many at a time, and no queue. One host answers slowly for a few of them, and one
     * network for half, so that the guests of others still get in.
     */
    private static final Bounds AT_ONCE = new Bounds(32, 16, 8);

    /** The operator named the Pods, which are often on one host. */
    private static final Bounds AT_ONCE_FOR_PODS = new Bounds(32, 32, 32);

    private final GuardedDialer dialer;
    private final WebClient client = new WebClient();
    private final Shares places;
    private final @Nullable GuardedFetch forPods;

    @Inject
    GuardedFetch(@Value("${bivouac.solid-allow:}") String opened, MeterRegistry metrics) {
        this.dialer = new GuardedDialer(AddressGuard.opening(opened), LONGEST);
        this.places = new Shares("documents being fetched", AT_ONCE);
        this.forPods = new GuardedFetch(dialer.guard());
        ShareMetrics.show(metrics, "fetches", places);
        ShareMetrics.show(metrics, "fetch-lookups", dialer.lookups());
    }

    private GuardedFetch(AddressGuard guard) {
        this.dialer = new GuardedDialer(guard, LONGEST);
        this.places = new Shares("documents being fetched", AT_ONCE_FOR_PODS);
        this.forPods = null;
    }

    /** The same with places of its own, for what Pods' ACLs depend on: no stranger can take those. */
    public GuardedFetch forPods() {
        return forPods == null ? this : forPods;
    }

    /** Follows redirects, each past the guard again. */
    public Document get(URI url, String accept) throws FetchFailed {
        long deadline = System.nanoTime() + LONGEST.toNanos();
        var at = url;
        for (int hop = 0; hop <= MOST_REDIRECTS; hop++) {
            var found = exchange(new Ask("GET", at, Map.of("Accept", accept), null), deadline);
            if (!found.isRedirect()) {
                return found;
            }
            at = target(at, found);
        }
        throw FetchFailed.forGood("there are too many redirects");
    }

    /** Asks at this address and no other. */
    public Document exchange(String method, URI url, Map<String, String> headers, byte[] body) throws FetchFailed {
        return exchange(new Ask(method, url, headers, body), System.nanoTime() + LONGEST.toNanos());
    }

    private static URI target(URI at, Document redirect) throws FetchFailed {
        try {
            return at.resolve(redirect.location());
        } catch (IllegalArgumentException malformed) {
            throw FetchFailed.forGood("a redirect leads to no address");
        }
    }

    private Document exchange(Ask ask, long deadline) throws FetchFailed {
        Ask.check(ask.url());
        try {
            var addresses = dialer.addressesOf(ask.destination(), Strangers.named(ask.host()))
                    .get();
            try (var _ = places.take(Strangers.at(ask.host(), addresses.getFirst()))) {
                return client.send(ask, addresses, deadline);
            }
        } catch (ShareTaken full) {
            throw FetchFailed.forNow("too many documents are being fetched there");
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw FetchFailed.forNow("the relay is stopping");
        } catch (TimeoutException slow) {
            throw FetchFailed.forNow("there was no answer in time");
        } catch (ExecutionException | CompletionException failed) {
            var cause = failed.getCause() == null ? failed : failed.getCause();
            if (cause instanceof TimeoutException) {
                throw FetchFailed.forNow("the name was not looked up in time");
            }
            if (cause instanceof ShareTaken) {
                throw FetchFailed.forNow("too many names are being looked up there");
            }
            if (cause instanceof UnknownHostException) {
                throw FetchFailed.forNow("the name cannot be looked up");
            }
            if (cause instanceof AddressRefused refused) {
                throw FetchFailed.forGood(refused.getMessage());
            }
            throw cause instanceof FetchFailed reason ? reason : FetchFailed.forNow(String.valueOf(cause.getMessage()));
        }
    }

    @PreDestroy
    void close() {
        if (forPods != null) {
            forPods.close();
        }
        dialer.close();
        client.close();
    }
}
