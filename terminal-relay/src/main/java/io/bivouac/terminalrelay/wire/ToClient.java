package io.bivouac.terminalrelay.wire;

import com.google.protobuf.ByteString;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** What a client can hear; a door that has no word for it says nothing. */
public sealed interface ToClient {
    /**
     * The client is attached, for the first time or again.
     *
     * @param offset where output goes on; less than 0 when a screen comes first and says it
     * @param applied the last input of the client's source that was applied
     */
    record Attached(String terminal, String role, String source, long offset, int columns, int rows, long applied)
            implements ToClient {}

    record Output(boolean stderr, long offset, ByteString data) implements ToClient {}

    /** Bytes that draw the terminal as it was just before the offset. */
    record Screen(long offset, ByteString data, int columns, int rows) implements ToClient {}

    /** These bytes of output are gone. */
    record Gap(boolean stderr, long from, long to) implements ToClient {}

    record Resized(int columns, int rows) implements ToClient {}

    /** Input up to this sequence was written to the terminal. */
    record Applied(long sequence) implements ToClient {}

    /**
     * A program asks whether it may do something.
     *
     * @param input the beginning of its tool's input, of {@code inputBytes}
     * @param timeout how many seconds it waits in all
     * @param scopes how far a yes may reach; null where it cannot
     */
    record PermissionRequest(
            String requestId,
            String source,
            String action,
            String resource,
            String description,
            String cwd,
            String input,
            int inputBytes,
            long timeout,
            Instant expiresAt,
            @Nullable List<String> scopes)
            implements ToClient {}

    /** Such a question has its answer, wherever it was given. */
    record PermissionResolved(
            String requestId,
            boolean granted,
            @Nullable String decidedBy,
            @Nullable String reason,
            @Nullable Instant until)
            implements ToClient {}

    record Pong() implements ToClient {}

    /** Something that only the client can open. */
    record Sealed(long number, ByteString data) implements ToClient {}

    /** The last message of a terminal that ended. */
    record Exited(int code) implements ToClient {}

    record Failed(ErrorCode code, String message, Map<String, Object> details) implements ToClient {
        public Failed(ErrorCode code, String message) {
            this(code, message, Map.of());
        }
    }
}
