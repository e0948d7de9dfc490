package io.bivouac.sandboxio.command;

import io.bivouac.sandboxmodel.error.BivouacException;
import io.micronaut.core.annotation.Nullable;
import java.time.Duration;

/**
 * A command that is to be run, checked.
 *
 * @param stdin empty for none
 * @param timeout zero for none
 * @param maxOutputBytes of each of stdout and stderr; zero for no bound
 */
public record CommandOrder(
        String commandId, Program program, String stdin, Reading reading, Duration timeout, long maxOutputBytes) {
    static final int DEFAULT_OUTPUT = 10 * 1024 * 1024;

    /** Of one stream in one answer, where the memory budget has room for it. */
    static final int LARGEST_OUTPUT = 64 * 1024 * 1024;

    static final Duration LONGEST_TIMEOUT = Duration.ofHours(24);

    /** How the output is read. */
    public enum Reading {
        IN_ONE_PIECE,
        AS_STREAM,
        IN_BACKGROUND
    }

    /**
     * A new command with an id of its own.
     *
     * @param timeoutMillis null for the usual one, which only results in one piece have
     * @param maxOutputBytes null for the usual bound, which only results in one piece have
     */
    public static CommandOrder of(
            Program program,
            @Nullable String stdin,
            Reading reading,
            @Nullable Long timeoutMillis,
            @Nullable Long maxOutputBytes,
            ProcessSettings settings) {
        boolean inOnePiece = reading == Reading.IN_ONE_PIECE;
        return new CommandOrder(
                CommandId.next(),
                program,
                stdin == null ? "" : stdin,
                reading,
                timeout(timeoutMillis, inOnePiece ? settings.getDefaultTimeout() : Duration.ZERO),
                outputSize(maxOutputBytes, inOnePiece, settings.largestOutput()));
    }

    private static Duration timeout(@Nullable Long millis, Duration otherwise) {
        if (millis == null) {
            return otherwise;
        }
        if (millis < 1 || millis > LONGEST_TIMEOUT.toMillis()) {
            throw invalid("timeout must be between 1 and " + LONGEST_TIMEOUT.toMillis() + " milliseconds.");
        }
        return Duration.ofMillis(millis);
    }

    private static long outputSize(@Nullable Long bytes, boolean inOnePiece, long largest) {
        if (bytes == null) {
            return inOnePiece ? Math.min(DEFAULT_OUTPUT, largest) : 0;
        }
        if (bytes < 1 || (inOnePiece && bytes > largest)) {
            throw invalid("maxOutputSize must be between 1 and " + largest + " bytes; a stream takes larger ones.");
        }
        return bytes;
    }

    static BivouacException invalid(String why) {
        return BivouacException.invalidRequest(why);
    }
}
