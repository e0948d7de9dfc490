package io.bivouac.fronts.mcp;

import java.util.Map;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/** Some of the tools, by their names. What they throw becomes an answer. */
interface Tools {
    Map<String, Function<ToolCall, Mono<Map<String, Object>>>> byName();
}
