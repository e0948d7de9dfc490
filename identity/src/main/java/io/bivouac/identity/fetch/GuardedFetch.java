package io.bivouac.identity.fetch;

import io.bivouac.foundation.network.AddressGuard;
import io.bivouac.foundation.network.HostLookup;
import io.micronaut.context.annotation.Value;
import io.micronaut.core.annotation.Nullable;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;

/** Fetches documents, past the guard. Calls wait, so they belong on no network thread. Thread-safe. */
@Singleton
public class GuardedFetch {
    /** For the whole of a fetch, with its redirects. */
    static final Duration LONGEST = Duration.ofSeconds(5);

    private static final int MOST_REDIRECTS = 3;

    /** Strangers may make us fetch: so many at a time, and no queue. */
    private static final int AT_ONCE = 32;

    private final AddressGuard guard;
    private final HostLookup lookup = new HostLookup(LONGEST);
    private final WebClient client = new WebClient();
    private final Semaphore places = new Semaphore(AT_ONCE);
    private final @Nullable GuardedFetch forPods;

    @Inject
    GuardedFetch(@Value("${bivouac.solid-allow:}") String opened) {
        this.guard = AddressGuard.opening(opened);
        this.forPods = new GuardedFetch(guard);
    }

    private GuardedFetch(AddressGuard guard) {
        this.guard = guard;
        this.forPods = null;
    }

    /** The same with places of its own, for what Pods' ACLs depend on: no stranger can take those. */
    public GuardedFetch forPods() {
        return forPods == null ? this : forPods;
    }

    /** Follows redirects, each past the guard again. */
    public Document get(URI url, String accept) throws FetchFailed {
        return inPlace(() -> {
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
        });
    }

    /** Asks at this address and no other. */
    public Document exchange(String method, URI url, Map<String, String> headers, byte[] body) throws FetchFailed {
        return inPlace(() -> exchange(new Ask(method, url, headers, body), System.nanoTime() + LONGEST.toNanos()));
    }

    private interface Fetch {
        Document run() throws FetchFailed;
    }

    private Document inPlace(Fetch fetch) throws FetchFailed {
        if (!places.tryAcquire()) {
            throw FetchFailed.forNow("too many documents are being fetched");
        }
        try {
            return fetch.run();
        } finally {
            places.release();
        }
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
            return client.send(ask, passable(ask), deadline);
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
            if (cause instanceof UnknownHostException) {
                throw FetchFailed.forNow("the name cannot be looked up");
            }
            throw cause instanceof FetchFailed reason ? reason : FetchFailed.forNow(String.valueOf(cause.getMessage()));
        }
    }

    private List<InetAddress> passable(Ask ask) throws FetchFailed, InterruptedException, ExecutionException {
        var addresses = lookup.addressesOf(ask.host()).get();
        var objection = guard.objection(addresses, ask.encrypted());
        if (objection.isPresent()) {
            throw FetchFailed.forGood(objection.get());
        }
        return addresses;
    }

    @PreDestroy
    void close() {
        if (forPods != null) {
            forPods.close();
        }
        lookup.close();
        client.close();
    }
}
