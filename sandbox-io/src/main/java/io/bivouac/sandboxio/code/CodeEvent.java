package io.bivouac.sandboxio.code;

import com.google.protobuf.ByteString;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.json.tree.JsonNode;

/** What a run of code says. An {@link Exit} is the last one, whatever ends the run. */
public sealed interface CodeEvent {
    record Started(String executionId, String sessionId) implements CodeEvent {}

    record Output(boolean stderr, ByteString data) implements CodeEvent {}

    /** A value in all its forms by media type; what is binary is base64. */
    record Result(
            String id,
            boolean main,
            JsonNode mimeBundle,
            @Nullable JsonNode chart) implements CodeEvent {}

    /** What the code raised. */
    record Raised(String name, String value, String traceback) implements CodeEvent {}

    /** The run could not go on, through no fault of the code. */
    record Broken(BivouacException why) implements CodeEvent {}

    /** A sign of life. */
    record Status(boolean busy) implements CodeEvent {}

    /** @param kept whether the session has its variables still */
    record Exit(boolean ok, long executionCount, long durationMillis, boolean kept, boolean timedOut)
            implements CodeEvent {}
}
