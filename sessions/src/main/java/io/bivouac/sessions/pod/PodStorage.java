package io.bivouac.sessions.pod;

import io.micronaut.core.annotation.Nullable;
import java.nio.file.Path;
import java.util.Optional;

/** The relay's own way to what is in a Pod, whoever is asking. Thread-safe. */
interface PodStorage {
    int LARGEST = 256 << 10;

    /**
     * The whole of a resource, or nothing when there is none.
     *
     * @param path a clean one, from the Pod's root
     */
    Optional<byte[]> read(String path) throws PodUnreadable;

    /**
     * The ACL of a resource, if it has one of its own.
     *
     * @param owner the resource's path
     */
    default Optional<AclText> acl(String owner) throws PodUnreadable {
        return read(owner + PodAccess.ACL_ENDING).map(text -> new AclText(null, text));
    }

    /** @param address where it is, if that need not be the usual place */
    record AclText(@Nullable String address, byte[] text) {}

    /** Where its files are, when they are on this machine. */
    default Optional<Path> folder() {
        return Optional.empty();
    }
}
