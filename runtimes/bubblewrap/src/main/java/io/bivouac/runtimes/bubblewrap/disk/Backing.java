package io.bivouac.runtimes.bubblewrap.disk;

import io.micronaut.core.annotation.Nullable;
import java.io.IOException;

/** How a disk's limit is kept. */
public interface Backing {
    String name();

    /** Why the limit is not enforced; null when it is. */
    @Nullable String weakness();

    /** Makes an empty disk; its folder is there, nothing in it. */
    void make(Disk disk) throws IOException;

    /** Makes the disk's content reachable, as after a restart of the machine; repeated, it does nothing. */
    void attach(Disk disk) throws IOException;

    void detach(Disk disk) throws IOException;

    /** Gives a detached disk more room. */
    void grow(Disk disk, long limitBytes) throws IOException;

    /** Takes all space that is still free in an attached disk, without taking any on the host; may be repeated. */
    default void fill(Disk disk) throws IOException {}

    /** Gives back what {@link #fill} has taken. */
    default void empty(Disk disk) throws IOException {}

    long usedBytes(Disk disk) throws IOException;
}
