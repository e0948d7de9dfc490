package io.bivouac.sandboxio.code;

import io.bivouac.sandboxio.text.JsonBytes;
import io.bivouac.sandboxio.text.LossyText;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.json.JsonMapper;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writes what a run of code says as server-sent events. Used by one thread at a time. */
public final class CodeFrames {
    private static final int SMALL = 256;
    private static final int AROUND = 128;

    private final JsonMapper json;

    /** Every event says it when there is one. */
    private final boolean namesSession;

    private final LossyText[] texts = {new LossyText(), new LossyText()};
    private String sessionId = "";

    private CodeFrames(JsonMapper json, boolean namesSession) {
        this.json = json;
        this.namesSession = namesSession;
    }

    public static CodeFrames of(JsonMapper json) {
        return new CodeFrames(json, false);
    }

    /** Every event has the session's id, as {@code session_id}. */
    public static CodeFrames withSession(JsonMapper json) {
        return new CodeFrames(json, true);
    }

    /** Null when there is nothing to send yet. */
    public @Nullable ByteBuf of(CodeEvent event) {
        return switch (event) {
            case CodeEvent.Started started -> {
                sessionId = started.sessionId();
                yield end(begin("start", SMALL)
                        .raw(",\"executionId\":\"" + started.executionId() + "\",\"sessionId\":\"" + started.sessionId()
                                + "\""));
            }
            case CodeEvent.Output output -> output(output);
            case CodeEvent.Result result -> end(result(begin("result", SMALL), result));
            case CodeEvent.Raised raised -> end(raised(begin("error", SMALL), raised));
            case CodeEvent.Broken broken -> end(broken(begin("error", SMALL), broken));
            case CodeEvent.Status status ->
                end(begin("status", SMALL).raw(",\"kernel\":\"" + (status.busy() ? "busy" : "idle") + "\""));
            case CodeEvent.Exit exit -> end(exit(rest(), exit));
        };
    }

    private @Nullable ByteBuf output(CodeEvent.Output output) {
        int size = output.data().size();
        var frame = begin(output.stderr() ? "stderr" : "stdout", AROUND + size + (size >> 4))
                .raw(",\"data\":\"");
        boolean written = texts[output.stderr() ? 1 : 0].write(output.data(), frame);
        return written ? end(frame.raw("\"")) : null;
    }

    /** Characters that never came whole are told before the end. */
    private JsonBytes rest() {
        var frames = new JsonBytes(SMALL);
        for (int stream = 0; stream < texts.length; stream++) {
            if (texts[stream].cutBytes() > 0) {
                head(frames, stream == 1 ? "stderr" : "stdout").raw(",\"data\":\"");
                texts[stream].end(frames);
                frames.raw("\"}\n\n");
            }
        }
        return head(frames, "exit");
    }

    private JsonBytes exit(JsonBytes frame, CodeEvent.Exit exit) {
        return frame.raw(",\"ok\":" + exit.ok() + ",\"executionCount\":" + exit.executionCount() + ",\"durationMs\":"
                + exit.durationMillis() + ",\"session\":\"" + (exit.kept() ? "kept" : "lost") + "\",\"timedOut\":"
                + exit.timedOut());
    }

    private JsonBytes raised(JsonBytes frame, CodeEvent.Raised raised) {
        return frame.raw(",\"name\":\"")
                .escaped(raised.name())
                .raw("\",\"value\":\"")
                .escaped(raised.value())
                .raw("\",\"traceback\":\"")
                .escaped(raised.traceback())
                .raw("\"");
    }

    private JsonBytes broken(JsonBytes frame, CodeEvent.Broken broken) {
        var code = broken.why().code();
        var message = String.valueOf(broken.why().getMessage());
        return raised(frame, new CodeEvent.Raised(code.name(), message, message))
                .raw(",\"code\":" + code.number() + ",\"message\":\"")
                .escaped(message)
                .raw("\"");
    }

    private JsonBytes result(JsonBytes frame, CodeEvent.Result result) {
        var parts = resultParts(result);
        try {
            var text = json.writeValueAsBytes(parts);
            // Its fields, without the braces around them.
            return frame.raw(",").raw(java.util.Arrays.copyOfRange(text, 1, text.length - 1));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    static Map<String, Object> resultParts(CodeEvent.Result result) {
        var parts = new LinkedHashMap<String, Object>();
        parts.put("id", result.id());
        parts.put("main", result.main());
        parts.put("mimeBundle", result.mimeBundle());
        if (result.chart() != null) {
            parts.put("chart", result.chart());
        }
        return parts;
    }

    private JsonBytes begin(String type, int capacity) {
        return head(new JsonBytes(capacity), type);
    }

    private JsonBytes head(JsonBytes frame, String type) {
        frame.raw("event: " + type + "\ndata: {\"type\":\"" + type + "\"");
        return namesSession ? frame.raw(",\"session_id\":\"" + sessionId + "\"") : frame;
    }

    private static ByteBuf end(JsonBytes frame) {
        return frame.raw("}\n\n").done();
    }
}
