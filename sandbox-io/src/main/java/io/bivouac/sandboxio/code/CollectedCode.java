package io.bivouac.sandboxio.code;

import com.google.protobuf.ByteString;
import io.bivouac.foundation.memory.Holding;
import io.bivouac.foundation.memory.MemoryBudget;
import io.bivouac.foundation.memory.Purpose;
import io.bivouac.sandboxio.text.JsonBytes;
import io.bivouac.sandboxio.text.LossyText;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.json.tree.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** Collects what a run of code says into one result, within the memory budget. Used by one thread at a time. */
final class CollectedCode {
    /** Of stdout and stderr each; the rest is dropped, and the result says so. */
    static final int LARGEST_OUTPUT = 10 * 1024 * 1024;

    private static final int FIRST = 256;

    private final Holding room;
    private final Text stdout = new Text();
    private final Text stderr = new Text();
    private final List<CodeEvent.Result> results = new ArrayList<>();
    private CodeEvent.@Nullable Started started;
    private CodeEvent.@Nullable Raised error;
    private CodeEvent.@Nullable Broken broken;
    private CodeEvent.@Nullable Exit exit;
    private boolean truncated;

    CollectedCode(MemoryBudget budget, String project) {
        room = budget.holding(Purpose.COMMAND_OUTPUT, project, stdout);
    }

    private static final class Text {
        private final JsonBytes json = new JsonBytes(FIRST);
        private final LossyText text = new LossyText();
        private int size;
    }

    void add(CodeEvent event) {
        switch (event) {
            case CodeEvent.Started beginning -> started = beginning;
            case CodeEvent.Output output -> print(output.stderr() ? stderr : stdout, output.data());
            case CodeEvent.Result result -> {
                hold(size(result.mimeBundle()) + (result.chart() == null ? 0 : size(result.chart())));
                results.add(result);
            }
            // The first one is what went wrong; others follow from it.
            case CodeEvent.Raised raised -> error = error == null ? raised : error;
            case CodeEvent.Broken why -> broken = why;
            case CodeEvent.Status _ -> {}
            case CodeEvent.Exit end -> exit = end;
        }
    }

    private void print(Text to, ByteString data) {
        int left = LARGEST_OUTPUT - to.size;
        var kept = data.size() > left ? data.substring(0, left) : data;
        truncated |= kept.size() < data.size();
        if (!kept.isEmpty()) {
            hold(kept.size());
            to.size += kept.size();
            to.text.write(kept, to.json);
        }
    }

    private void hold(long bytes) {
        if (!room.take(bytes)) {
            throw room.refusal();
        }
    }

    /** About the bytes of its text. */
    private static long size(JsonNode node) {
        if (node.isString()) {
            return node.getStringValue().length();
        }
        if (node.isObject()) {
            long size = 0;
            for (var entry : node.entries()) {
                size += entry.getKey().length() + size(entry.getValue());
            }
            return size;
        }
        if (node.isArray()) {
            long size = 0;
            for (var value : node.values()) {
                size += size(value);
            }
            return size;
        }
        return Long.BYTES;
    }

    CodeResult result() {
        stdout.text.end(stdout.json);
        stderr.text.end(stderr.json);
        return new CodeResult(started, stdout.json, stderr.json, results, error, broken, exit, truncated, room::close);
    }

    void close() {
        room.close();
    }
}
