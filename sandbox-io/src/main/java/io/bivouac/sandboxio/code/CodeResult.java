package io.bivouac.sandboxio.code;

import io.bivouac.sandboxio.text.JsonBytes;
import io.micronaut.core.annotation.Nullable;
import java.util.List;

/**
 * A whole run of code.
 *
 * @param stdout as the inside of a JSON string
 * @param broken why the run could not go on, through no fault of the code
 * @param truncated whether there was more output than is collected
 * @param close gives back what memory it holds
 */
public record CodeResult(
        CodeEvent.@Nullable Started started,
        JsonBytes stdout,
        JsonBytes stderr,
        List<CodeEvent.Result> results,
        CodeEvent.@Nullable Raised error,
        CodeEvent.@Nullable Broken broken,
        CodeEvent.Exit exit,
        boolean truncated,
        Runnable close) {}
