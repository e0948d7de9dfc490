package io.bivouac.sessions.pod;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.bivouac.identity.fetch.FetchFailed;
import io.bivouac.identity.fetch.GuardedFetch;
import io.bivouac.identity.turtle.BadTurtle;
import io.bivouac.identity.turtle.Turtle;
import io.bivouac.sessions.acl.PodPaths;
import jakarta.inject.Singleton;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.eclipse.rdf4j.model.Model;
import org.eclipse.rdf4j.model.impl.LinkedHashModel;
import org.eclipse.rdf4j.model.impl.SimpleValueFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells who is in a group that an ACL names. A group that cannot be read has no members. Thread-safe. */
@Singleton
class Groups {
    private static final Logger LOG = LoggerFactory.getLogger(Groups.class);
    private static final String HAS_MEMBER = "http://www.w3.org/2006/vcard/ns#hasMember";
    private static final int REMEMBERED = 1_000;

    /** Well within the minute in which a change must take effect. */
    private static final Duration REMEMBERED_FOR = Duration.ofSeconds(15);

    private final GuardedFetch fetch;
    private final Cache<String, Model> elsewhere = Caffeine.newBuilder()
            .maximumSize(REMEMBERED)
            .expireAfterWrite(REMEMBERED_FOR)
            .build();

    Groups(GuardedFetch fetch) {
        this.fetch = fetch.forPods();
    }

    boolean isMember(Pod pod, String group, String webId) {
        var address = group.split("#", 2)[0];
        try {
            var statements = address.startsWith(pod.url()) ? inPod(pod, address) : onTheWeb(address);
            var values = SimpleValueFactory.getInstance();
            return statements.contains(values.createIRI(group), values.createIRI(HAS_MEMBER), values.createIRI(webId));
        } catch (PodUnreadable | BadTurtle | FetchFailed | IllegalArgumentException unreadable) {
            LOG.info("The group {} cannot be read, so it has no members: {}", address, unreadable.getMessage());
            return false;
        }
    }

    private static Model inPod(Pod pod, String address) throws PodUnreadable, BadTurtle {
        var path = pod.paths().fromAcl(address).flatMap(PodPaths::clean);
        Optional<byte[]> text =
                path.isEmpty() ? Optional.empty() : pod.storage().read(path.get());
        return text.isEmpty() ? new LinkedHashModel() : Turtle.parse(text.get(), address);
    }

    private Model onTheWeb(String address) throws FetchFailed, BadTurtle {
        var known = elsewhere.getIfPresent(address);
        if (known != null) {
            return known;
        }
        var document = fetch.get(URI.create(address), Turtle.TYPE);
        var read = document.isFound() && document.type().equals(Turtle.TYPE)
                ? Turtle.parse(document.body(), document.url().toString())
                : new LinkedHashModel();
        elsewhere.put(address, read);
        return read;
    }
}
