package io.bivouac.sandboxio.egress;

import com.google.protobuf.ByteString;
import io.bivouac.agentlink.CarriedStream;
import io.micronaut.core.annotation.Nullable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * What a program says first, up to the empty line.
 *
 * @param text with the empty line, a character for each byte
 * @param rest what came after it already
 */
record RequestHead(String text, ByteString rest) {
    static final int LARGEST = 16 * 1024;
    static final Duration LONGEST_WAIT = Duration.ofSeconds(30);
    private static final ByteString END = ByteString.copyFromUtf8("\r\n\r\n");

    /** Null when the program has gone without a word. */
    static @Nullable RequestHead read(CarriedStream program) throws IOException, EgressFailed {
        long deadline = System.nanoTime() + LONGEST_WAIT.toNanos();
        var read = ByteString.EMPTY;
        while (true) {
            int end = indexOf(read);
            if (end >= 0) {
                int length = end + END.size();
                return new RequestHead(
                        read.substring(0, length).toString(StandardCharsets.ISO_8859_1), read.substring(length));
            }
            if (read.size() > LARGEST) {
                throw new EgressFailed(
                        EgressResult.MALFORMED, "The request's head is larger than " + LARGEST + " bytes");
            }
            var more = next(program, deadline);
            if (more == null) {
                if (read.isEmpty()) {
                    return null;
                }
                throw new EgressFailed(EgressResult.MALFORMED, "The request ends in the middle of its head");
            }
            read = read.concat(more);
        }
    }

    private static @Nullable ByteString next(CarriedStream program, long deadline) throws IOException, EgressFailed {
        try {
            return program.read(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
        } catch (InterruptedIOException silent) {
            throw new EgressFailed(EgressResult.SILENT, "The request did not come in time");
        }
    }

    private static int indexOf(ByteString bytes) {
        for (int at = 0; at <= Math.min(bytes.size(), LARGEST) - END.size(); at++) {
            if (bytes.byteAt(at) == '\r' && bytes.substring(at, at + END.size()).equals(END)) {
                return at;
            }
        }
        return -1;
    }
}
