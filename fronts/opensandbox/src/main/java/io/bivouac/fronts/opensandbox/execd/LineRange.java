package io.bivouac.fronts.opensandbox.execd;

import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Some lines of a text.
 *
 * @param first from 1
 */
record LineRange(long first, long count) {
    /** Of all lines together, as they are in memory at once. */
    static final int MOST_BYTES = 8 * 1024 * 1024;

    LineRange {
        if (first < 1 || count < 1) {
            throw BivouacException.invalidRequest("offset and limit must be above zero.");
        }
    }

    /** The lines without the end of the last one. */
    Mono<byte[]> of(Flux<ByteBuffer> contents) {
        return Mono.defer(() -> {
            var reading = new Reading();
            return contents.takeUntil(reading::isDoneWith).then(Mono.fromSupplier(reading::text));
        });
    }

    private final class Reading {
        private final ByteArrayOutputStream text = new ByteArrayOutputStream();
        private long line = 1;

        /** A line's end belongs to the text only when another line follows. */
        private boolean endsLine;

        boolean isDoneWith(ByteBuffer piece) {
            while (piece.hasRemaining()) {
                byte next = piece.get();
                if (line - first >= count) {
                    return true;
                }
                if (line >= first) {
                    put(next);
                }
                if (next == '\n') {
                    line++;
                }
            }
            return line - first >= count;
        }

        private void put(byte next) {
            if (endsLine) {
                text.write('\n');
            }
            endsLine = next == '\n';
            if (!endsLine) {
                text.write(next);
            }
            if (text.size() > MOST_BYTES) {
                throw new BivouacException(
                        ErrorCode.TOO_LARGE, "These lines have more than " + MOST_BYTES + " bytes; ask for fewer.");
            }
        }

        byte[] text() {
            return text.toByteArray();
        }
    }
}
