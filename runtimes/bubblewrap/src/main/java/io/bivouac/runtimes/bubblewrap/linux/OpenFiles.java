package io.bivouac.runtimes.bubblewrap.linux;

import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import java.io.IOException;

/** Tells a file that is not there from one that cannot be opened because this process has too many open. */
public final class OpenFiles {
    private static final String TOO_MANY = "Too many open files";

    private OpenFiles() {}

    /** Nobody may take a file for missing, and a sandbox for gone, because none can be opened now. */
    public static void mustNotBeExhausted(IOException failed) {
        if (String.valueOf(failed.getMessage()).contains(TOO_MANY)) {
            throw new RuntimeFailure("the server has too many files open", failed);
        }
    }
}
