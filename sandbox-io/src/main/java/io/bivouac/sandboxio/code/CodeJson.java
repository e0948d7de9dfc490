package io.bivouac.sandboxio.code;

import io.bivouac.sandboxio.text.JsonBytes;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A whole run as JSON, in the shape of {@link CodeRunView}. */
final class CodeJson {
    private static final int AROUND = 1024;

    private CodeJson() {}

    static byte[] of(CodeResult result, JsonMapper mapper) {
        try {
            var started = result.started();
            var exit = result.exit();
            if (result.broken() != null) {
                throw result.broken().why();
            }
            if (started == null || exit == null) {
                throw new BivouacException(ErrorCode.UNAVAILABLE, "The run ended before it began.");
            }
            var stdout = result.stdout().toArray();
            var stderr = result.stderr().toArray();
            var json = new JsonBytes(AROUND + stdout.length + stderr.length)
                    .raw("{\"executionId\":\"" + started.executionId() + "\",\"sessionId\":\"" + started.sessionId()
                            + "\",\"stdout\":\"")
                    .raw(stdout)
                    .raw("\",\"stderr\":\"")
                    .raw(stderr)
                    .raw("\",\"results\":")
                    .raw(mapper.writeValueAsBytes(result.results().stream()
                            .map(CodeFrames::resultParts)
                            .toList()));
            error(json, result.error());
            return json.raw(",\"ok\":" + exit.ok() + ",\"executionCount\":" + exit.executionCount() + ",\"durationMs\":"
                            + exit.durationMillis() + ",\"session\":\"" + (exit.kept() ? "kept" : "lost")
                            + "\",\"timedOut\":" + exit.timedOut() + ",\"truncated\":" + result.truncated() + "}")
                    .toArray();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        } finally {
            result.close().run();
        }
    }

    private static void error(JsonBytes json, CodeEvent.Raised error) {
        if (error == null) {
            json.raw(",\"error\":null");
            return;
        }
        json.raw(",\"error\":{\"name\":\"")
                .escaped(error.name())
                .raw("\",\"value\":\"")
                .escaped(error.value())
                .raw("\",\"traceback\":\"")
                .escaped(error.traceback())
                .raw("\"}");
    }
}
