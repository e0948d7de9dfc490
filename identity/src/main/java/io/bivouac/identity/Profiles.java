package io.bivouac.identity;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.bivouac.identity.fetch.FetchFailed;
import io.bivouac.identity.fetch.GuardedFetch;
import io.bivouac.identity.turtle.BadTurtle;
import io.bivouac.identity.turtle.Turtle;
import jakarta.inject.Singleton;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import org.eclipse.rdf4j.model.IRI;
import org.eclipse.rdf4j.model.Value;
import org.eclipse.rdf4j.model.impl.SimpleValueFactory;

/** Reads from the profile that a WebID names who may vouch for it. Thread-safe. */
@Singleton
class Profiles {
    private static final int REMEMBERED = 10_000;

    /** Somebody may name a slow or broken address over and over. */
    private static final Duration FAILURES_KEPT = Duration.ofSeconds(10);

    private static final IRI OIDC_ISSUER =
            SimpleValueFactory.getInstance().createIRI("http://www.w3.org/ns/solid/terms#oidcIssuer");

    private final GuardedFetch fetch;
    private final Cache<URI, Set<String>> issuers;
    private final Cache<URI, FetchFailed> failures = Caffeine.newBuilder()
            .maximumSize(REMEMBERED)
            .expireAfterWrite(FAILURES_KEPT)
            .build();

    Profiles(GuardedFetch fetch, SolidSettings settings) {
        this.fetch = fetch;
        this.issuers = Caffeine.newBuilder()
                .maximumSize(REMEMBERED)
                .expireAfterWrite(settings.getProfilesKept())
                .build();
    }

    /** As the profile spells them. */
    Set<String> issuersOf(URI webId) throws FetchFailed {
        var known = issuers.getIfPresent(webId);
        if (known != null) {
            return known;
        }
        var failed = failures.getIfPresent(webId);
        if (failed != null) {
            throw failed;
        }
        try {
            var read = read(webId);
            issuers.put(webId, read);
            return read;
        } catch (FetchFailed failure) {
            failures.put(webId, failure);
            throw failure;
        }
    }

    private Set<String> read(URI webId) throws FetchFailed {
        var document = fetch.get(withoutFragment(webId), Turtle.TYPE);
        if (!document.isFound()) {
            throw new FetchFailed("it answers with status " + document.status(), document.status() >= 500);
        }
        if (!document.type().equals(Turtle.TYPE)) {
            throw FetchFailed.forGood("it is not served as " + Turtle.TYPE);
        }
        try {
            var profile = Turtle.parse(document.body(), document.url().toString());
            var subject = SimpleValueFactory.getInstance().createIRI(webId.toString());
            return profile.filter(subject, OIDC_ISSUER, null).objects().stream()
                    .filter(Value::isIRI)
                    .map(Value::stringValue)
                    .collect(Collectors.toUnmodifiableSet());
        } catch (BadTurtle malformed) {
            throw FetchFailed.forGood("it is no Turtle: " + malformed.getMessage());
        }
    }

    private static URI withoutFragment(URI webId) {
        var text = webId.toString();
        int fragment = text.indexOf('#');
        return fragment < 0 ? webId : URI.create(text.substring(0, fragment));
    }
}
