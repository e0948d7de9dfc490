package io.bivouac.terminalrelay.wire;

import com.google.protobuf.ByteString;
import io.micronaut.core.annotation.Nullable;
import java.time.Instant;

/** What a client can say, through whichever door. */
public sealed interface FromClient {
    /**
     * Something typed.
     *
     * @param sequence counts from 1 for each source; 0 where the door has no numbers
     */
    record Input(long sequence, ByteString data) implements FromClient {}

    /** Nothing more will be typed; for commands without a terminal. */
    record EndOfInput() implements FromClient {}

    record Resize(int columns, int rows) implements FromClient {}

    record Signal(int number) implements FromClient {}

    /** So many more bytes of output may be sent. */
    record Credit(long bytes) implements FromClient {}

    /** Output is wanted again from this offset. */
    record Resume(long from) implements FromClient {}

    /**
     * An answer to a program that asks for permission.
     *
     * @param until a yes covers the same question until then; null for this once
     * @param scope how far a yes to the network reaches; null where nothing was said
     */
    record PermissionResponse(
            String requestId,
            boolean granted,
            @Nullable Instant until,
            @Nullable String reason,
            @Nullable String scope) implements FromClient {}

    record Ping() implements FromClient {}

    /** Something for the sandbox's agent alone. */
    record Sealed(long number, ByteString data) implements FromClient {}
}
