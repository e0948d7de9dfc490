package io.bivouac.terminalrelay.process;

import io.bivouac.sandboxes.error.BivouacException;
import io.bivouac.sandboxes.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;

/** How a command ended, and all that it wrote. */
record CommandResult(
        String commandId,
        int exitCode,
        byte[] stdout,
        byte[] stderr,
        boolean truncated,
        boolean timedOut,
        long durationMillis) {

    /** The same, unless the command was ended by its timeout. */
    CommandResult inTime() {
        if (!timedOut) {
            return this;
        }
        var details = new HashMap<String, Object>(Map.of(
                "commandId",
                commandId,
                "stdout",
                text(stdout),
                "stderr",
                text(stderr),
                "truncated",
                truncated,
                "durationMs",
                durationMillis));
        throw new BivouacException(
                ErrorCode.PROCESS_TIMEOUT,
                "The command took longer than its timeout and was ended; the output so far is in the details.",
                details);
    }

    /** Bytes that are no UTF-8 are replaced. */
    static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** The exact bytes, where text alone would not give them. */
    @Nullable static String base64(byte[] bytes) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return null;
        } catch (CharacterCodingException notText) {
            return Base64.getEncoder().encodeToString(bytes);
        }
    }
}
