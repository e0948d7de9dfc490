package io.bivouac.sandboxio.command;

import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import java.util.Map;

/** How a command ended, and all that it wrote. Whoever gets it has to {@link #close} it. */
public record CommandResult(
        String commandId,
        int exitCode,
        CollectedBytes stdout,
        CollectedBytes stderr,
        boolean truncated,
        boolean timedOut,
        long durationMillis,
        Runnable giveBack)
        implements AutoCloseable {
    /** How much of each stream an error carries; the rest can be read where the sandbox keeps it. */
    static final int LARGEST_IN_ERROR = 256 * 1024;

    /** The same, unless the command was ended by its timeout. */
    public CommandResult inTime() {
        if (!timedOut) {
            return this;
        }
        try (this) {
            boolean cut = truncated || stdout.size() > LARGEST_IN_ERROR || stderr.size() > LARGEST_IN_ERROR;
            throw new BivouacException(
                    ErrorCode.PROCESS_TIMEOUT,
                    "The command took longer than its timeout and was ended; the output so far is in the details.",
                    Map.of(
                            "commandId",
                            commandId,
                            "stdout",
                            stdout.text(LARGEST_IN_ERROR),
                            "stderr",
                            stderr.text(LARGEST_IN_ERROR),
                            "truncated",
                            cut,
                            "durationMs",
                            durationMillis));
        }
    }

    @Override
    public void close() {
        giveBack.run();
    }
}
