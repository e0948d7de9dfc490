package io.bivouac.sandboxes.template.build;

import java.time.Duration;

/** Hears how a build gets on. */
public interface BuildProgress {
    /** @param number from 1 to {@code of} */
    void begins(int number, int of, String step);

    /** The step goes on; a program's last line of output. */
    void says(String line);

    void ends(Duration took);

    /** Something to know that is no step. */
    void note(String sentence);
}
