package io.bivouac.sandboxio.command;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.Run;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.micronaut.core.annotation.Nullable;
import java.time.Duration;

/** A checked request to run a command. */
record CommandOrder(String commandId, Run.Builder run, ByteString input) {
    static final int DEFAULT_OUTPUT = 10 * 1024 * 1024;

    /** Of one stream in one answer, where {@link ProcessSettings#getOutputBudget} has room for it. */
    static final int LARGEST_OUTPUT = 64 * 1024 * 1024;

    static final Duration LONGEST_TIMEOUT = Duration.ofHours(24);

    static CommandOrder of(RunRequest request, ProcessSettings settings) {
        var run = Run.newBuilder()
                .setCommandId(CommandId.next())
                .setLingerMillis(settings.getLinger().toMillis())
                .setBackground(request.isBackground());
        RunParts.command(run, request.command());
        RunParts.environment(run, request.envs());
        RunParts.place(run, request.cwd(), request.user());
        boolean inOnePiece = !request.isStream() && !request.isBackground();
        run.setTimeoutMillis(timeout(request.timeout(), inOnePiece ? settings.getDefaultTimeout() : Duration.ZERO));
        run.setMaxOutputBytes(outputSize(request.maxOutputSize(), inOnePiece, settings.largestOutput()));
        var input = request.stdin() == null ? ByteString.EMPTY : ByteString.copyFromUtf8(request.stdin());
        return new CommandOrder(run.getCommandId(), run, input);
    }

    private static long timeout(@Nullable Long millis, Duration otherwise) {
        if (millis == null) {
            return otherwise.toMillis();
        }
        if (millis < 1 || millis > LONGEST_TIMEOUT.toMillis()) {
            throw invalid("timeout must be between 1 and " + LONGEST_TIMEOUT.toMillis() + " milliseconds.");
        }
        return millis;
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
