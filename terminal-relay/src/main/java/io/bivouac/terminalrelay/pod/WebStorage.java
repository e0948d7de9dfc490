package io.bivouac.terminalrelay.pod;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.bivouac.terminalrelay.acl.PodPaths;
import io.bivouac.terminalrelay.fetch.FetchFailed;
import io.bivouac.terminalrelay.fetch.GuardedFetch;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Optional;

/** A Pod that is read over the web, with the relay's own login. Thread-safe. */
final class WebStorage implements PodStorage {
    private static final int REMEMBERED = 1_000;

    /** Well within the minute in which a change must take effect. */
    private static final Duration REMEMBERED_FOR = Duration.ofSeconds(10);

    private static final int NOT_FOUND = 404;

    private final PodPaths paths;
    private final GuardedFetch fetch;
    private final RelayLogin login;

    /** ACLs only: what is in a secret is not kept. */
    private final Cache<String, Optional<byte[]>> acls = Caffeine.newBuilder()
            .maximumSize(REMEMBERED)
            .expireAfterWrite(REMEMBERED_FOR)
            .build();

    WebStorage(PodPaths paths, GuardedFetch fetch, RelayLogin login) {
        this.paths = paths;
        this.fetch = fetch.forPods();
        this.login = login;
    }

    @Override
    public Optional<byte[]> read(String path) throws PodUnreadable {
        if (!path.endsWith(".acl")) {
            return fetched(path);
        }
        var known = acls.getIfPresent(path);
        if (known == null) {
            known = fetched(path);
            acls.put(path, known);
        }
        return known;
    }

    private Optional<byte[]> fetched(String path) throws PodUnreadable {
        var url = URI.create(paths.address(path));
        try {
            var headers = new HashMap<>(login.headers("GET", url));
            headers.put("Accept", path.endsWith(".acl") ? "text/turtle" : "*/*");
            var document = fetch.exchange("GET", url, headers, null);
            if (document.status() == NOT_FOUND) {
                return Optional.empty();
            }
            if (!document.isFound()) {
                throw new PodUnreadable(path + " answers with status " + document.status());
            }
            return Optional.of(document.body());
        } catch (FetchFailed failed) {
            throw new PodUnreadable(path + " cannot be had: " + failed.getMessage());
        }
    }
}
