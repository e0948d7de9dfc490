package io.bivouac.fronts.mcp;

import io.bivouac.foundation.access.Caller;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.json.tree.JsonNode;

/**
 * One call of a tool.
 *
 * @param request the id of the request, a string or a number
 * @param session what the client was given at its beginning; null for a client that shows none
 * @param progress the token of a client that wants to hear how it goes; null for others
 */
record ToolCall(
        Caller caller,
        Arguments arguments,
        JsonNode request,
        @Nullable String session,
        @Nullable JsonNode progress) {}
