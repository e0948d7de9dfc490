package io.bivouac.sessions.pod;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.bivouac.identity.fetch.Document;
import io.bivouac.identity.fetch.FetchFailed;
import io.bivouac.identity.fetch.GuardedFetch;
import io.bivouac.identity.turtle.Turtle;
import io.bivouac.sessions.acl.PodPaths;
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
    private final Cache<String, Optional<AclText>> acls = Caffeine.newBuilder()
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
        return body(path, asked("GET", URI.create(paths.address(path)), "*/*"));
    }

    @Override
    public Optional<AclText> acl(String owner) throws PodUnreadable {
        var known = acls.getIfPresent(owner);
        if (known == null) {
            var at = aclOf(owner);
            known = body(at.getPath(), asked("GET", at, Turtle.TYPE)).map(text -> new AclText(at.toString(), text));
            acls.put(owner, known);
        }
        return known;
    }

    /** Where the server says that it is; at the usual place, where it says nothing. */
    private URI aclOf(String owner) throws PodUnreadable {
        var url = URI.create(paths.address(owner));
        var link = AclLink.in(asked("HEAD", url, "*/*").links());
        if (link.isEmpty()) {
            return URI.create(url + PodAccess.ACL_ENDING);
        }
        var at = url.resolve(link.get());
        // The relay's login is for the Pod's server only.
        if (!url.getScheme().equals(at.getScheme()) || !url.getRawAuthority().equals(at.getRawAuthority())) {
            throw new PodUnreadable("the ACL of " + owner + " is said to be on another server");
        }
        return at;
    }

    private Document asked(String method, URI url, String accept) throws PodUnreadable {
        try {
            var headers = new HashMap<>(login.headers(method, url));
            headers.put("Accept", accept);
            return fetch.exchange(method, url, headers, null);
        } catch (FetchFailed failed) {
            throw new PodUnreadable(url.getPath() + " cannot be had: " + failed.getMessage());
        }
    }

    private static Optional<byte[]> body(String path, Document document) throws PodUnreadable {
        if (document.status() == NOT_FOUND) {
            return Optional.empty();
        }
        if (!document.isFound()) {
            throw new PodUnreadable(path + " answers with status " + document.status());
        }
        return Optional.of(document.body());
    }
}
