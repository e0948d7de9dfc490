package io.bivouac.sandboxes.template.build;

import java.io.IOException;

/** A part of a build. Done again after it was interrupted, it ends the same. */
interface Step {
    /** For people; the beginning of what the hash is made from. */
    String title();

    /** All that decides what the step makes. */
    String recipe();

    void run(Workbench bench) throws IOException;

    /** Whether it only looks at the tree. */
    default boolean changesNothing() {
        return false;
    }
}
