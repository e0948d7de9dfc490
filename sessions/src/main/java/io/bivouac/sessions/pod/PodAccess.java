package io.bivouac.sessions.pod;

import io.bivouac.identity.turtle.BadTurtle;
import io.bivouac.identity.turtle.Turtle;
import io.bivouac.sessions.acl.Acl;
import io.bivouac.sessions.acl.AclReader;
import io.bivouac.sessions.acl.Mode;
import io.bivouac.sessions.acl.Requester;
import io.bivouac.sessions.acl.Rule;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/** Finds the ACL that decides about a resource, and asks it. Thread-safe. */
@Singleton
public class PodAccess {
    static final String ACL_ENDING = ".acl";

    /** An ACL may name groups anywhere, and each is a fetch. */
    private static final int MOST_GROUPS = 20;

    private final Groups groups;

    PodAccess(Groups groups) {
        this.groups = groups;
    }

    /** The rules about this path that apply to the requester. */
    public List<Rule> rules(Pod pod, String path, Requester requester) throws PodUnreadable {
        return nearest(pod, path)
                .map(acl -> acl.rulesFor(pod.paths().address(path), requester, membership(pod, requester)))
                .orElse(List.of());
    }

    /** Whether anybody at all has this mode there. */
    public boolean isGrantedToAnybody(Pod pod, String path, Mode mode) throws PodUnreadable {
        var address = pod.paths().address(path);
        return nearest(pod, path)
                .filter(acl -> acl.grantsAnybody(address, mode))
                .isPresent();
    }

    private Predicate<String> membership(Pod pod, Requester requester) {
        var asked = new AtomicInteger();
        return group -> asked.incrementAndGet() <= MOST_GROUPS
                && groups.isMember(pod, group, requester.visitor().webId());
    }

    /** What one ACL grants: on the resource that it belongs to, and on what is below and has none. */
    record Modes(Set<Mode> own, Set<Mode> below) {}

    /** By the ACL of this very resource, if it has one. */
    Optional<Modes> ownModes(Pod pod, String owner, Requester requester) throws PodUnreadable {
        var text = pod.storage().acl(owner);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        var acl = read(pod, owner, text.get());
        var isMember = membership(pod, requester);
        return Optional.of(new Modes(
                Acl.modesOf(acl.rulesFor(pod.paths().address(owner), requester, isMember)),
                Acl.modesOf(acl.rulesBelow(requester, isMember))));
    }

    public Set<Mode> modes(Pod pod, String path, Requester requester) throws PodUnreadable {
        return Acl.modesOf(rules(pod, path, requester));
    }

    /** The resource's own ACL, or that of the nearest container that has one, up to the Pod's root. */
    private static Optional<Acl> nearest(Pod pod, String path) throws PodUnreadable {
        for (var owner = path; owner != null; owner = container(owner)) {
            var text = pod.storage().acl(owner);
            if (text.isPresent()) {
                return Optional.of(read(pod, owner, text.get()));
            }
        }
        return Optional.empty();
    }

    /** One that cannot be read still is the nearest: those further up do not speak for it. */
    private static Acl read(Pod pod, String owner, PodStorage.AclText acl) {
        var address = pod.paths().address(owner);
        var base = acl.address() == null ? address + ACL_ENDING : acl.address();
        try {
            return AclReader.read(Turtle.parse(acl.text(), base), address, pod.paths());
        } catch (BadTurtle malformed) {
            return new Acl(address, List.of());
        }
    }

    private static String container(String path) {
        if (path.equals("/")) {
            return null;
        }
        return path.substring(0, path.lastIndexOf('/', path.length() - 2) + 1);
    }
}
