package io.bivouac.runtimes.bubblewrap.disk;

import io.micronaut.core.annotation.Nullable;
import io.micronaut.serde.annotation.Serdeable;
import java.nio.file.Path;

/**
 * One disk.
 *
 * @param uid the host id that is root to this disk's files; null where the server itself has only one id
 */
public record Disk(
        String id, Path folder, long limitBytes, @Nullable Integer uid) {
    /** What the sandbox sees of a disk; its root stays out of reach, so no entry here can be replaced by a link. */
    public Path workspace() {
        return content().resolve("workspace");
    }

    public Path home() {
        return content().resolve("home");
    }

    /** The home of the sandbox's root. */
    public Path rootHome() {
        return content().resolve("root");
    }

    public Path tmp() {
        return content().resolve("tmp");
    }

    public Path sharedMemory() {
        return content().resolve("shm");
    }

    /** Here rather than beside: whoever is root inside could fill it. */
    public Path log() {
        return content().resolve("log");
    }

    /**
     * The folder made ready for the sandbox that will have this disk; gone once it has it. Not beside the disk's own
     * files: these are below the common mount, and nothing can be moved from one mount to another.
     */
    public Path furnished() {
        return furnishedBeside(folder.getParent()).resolve(id);
    }

    static Path furnishedBeside(Path disks) {
        return disks.resolveSibling("furnished");
    }

    /** All of them; where it is an image, it is mounted here. */
    public Path content() {
        return folder.resolve("content");
    }

    Path image() {
        return folder.resolve("image");
    }

    /** Exists as long as nobody has used the disk. */
    Path freshMark() {
        return folder.resolve("fresh");
    }

    Path description() {
        return folder.resolve("disk.json");
    }

    /** What is written down about a disk. */
    @Serdeable
    record Description(
            String backing, long limitBytes, @Nullable Integer uid) {}
}
