package io.bivouac.terminalrelay.pod;

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

    /** Where its files are, when they are on this machine. */
    default Optional<Path> folder() {
        return Optional.empty();
    }
}
