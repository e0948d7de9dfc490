package io.bivouac.sandboxio.command;

import com.google.protobuf.UnsafeByteOperations;
import io.bivouac.sandboxio.text.JsonBytes;
import io.bivouac.sandboxio.text.LossyText;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Iterator;
import java.util.stream.Stream;

/**
 * A command's result as JSON. Large output is written a page at a time, when the client has taken the one before:
 * a second copy of it would need several times the memory, since escapes are longer than what they stand for.
 */
final class ResultJson {
    /** Up to here the answer is sent in one piece. */
    private static final int SMALL = 32 * 1024;

    private static final int MORE_FOR_ESCAPES = 256;

    private ResultJson() {}

    /** In the shape of {@link RunView}. */
    static HttpResponse<?> ofRun(CommandResult result) {
        return answer(
                result,
                part("{\"commandId\":\"" + result.commandId() + "\",\"exitCode\":" + result.exitCode()),
                texts(result),
                base64("stdoutBase64", result.stdout()),
                base64("stderrBase64", result.stderr()),
                part(",\"truncated\":" + result.truncated() + ",\"durationMs\":" + result.durationMillis() + "}"));
    }

    /** In the shape of {@link ExecCommand.Result}. */
    static HttpResponse<?> ofExec(CommandResult result) {
        return answer(result, part("{\"exitCode\":" + result.exitCode()), texts(result), part("}"));
    }

    @SafeVarargs
    private static HttpResponse<?> answer(CommandResult result, Stream<byte[]>... parts) {
        var pieces = new Pieces(joined(parts).iterator(), result);
        boolean small = result.stdout().size() + result.stderr().size() <= SMALL;
        return HttpResponse.ok(small ? pieces.whole() : pieces).contentType(MediaType.APPLICATION_JSON_TYPE);
    }

    /** Pieces that are made when they are read. */
    private static final class Pieces extends InputStream {
        private final Iterator<byte[]> pieces;
        private final CommandResult result;
        private ByteArrayInputStream piece = new ByteArrayInputStream(new byte[0]);

        Pieces(Iterator<byte[]> pieces, CommandResult result) {
            this.pieces = pieces;
            this.result = result;
        }

        byte[] whole() {
            try (this) {
                return readAllBytes();
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
        }

        private boolean hasMore() {
            while (piece.available() == 0 && pieces.hasNext()) {
                piece = new ByteArrayInputStream(pieces.next());
            }
            return piece.available() > 0;
        }

        @Override
        public int read() {
            return hasMore() ? piece.read() : -1;
        }

        @Override
        public int read(byte[] into, int offset, int length) {
            return length == 0 ? 0 : hasMore() ? piece.read(into, offset, length) : -1;
        }

        @Override
        public void close() {
            result.close();
        }
    }

    private static Stream<byte[]> texts(CommandResult result) {
        return joined(
                part(",\"stdout\":\""),
                text(result.stdout()),
                part("\",\"stderr\":\""),
                text(result.stderr()),
                part("\""));
    }

    private static Stream<byte[]> text(CollectedBytes bytes) {
        var text = new LossyText();
        return Stream.concat(
                bytes.pages().map(page -> written(page, text)), Stream.of(text).map(ResultJson::end));
    }

    private static byte[] written(Bytes page, LossyText text) {
        var json = new JsonBytes(page.length() + MORE_FOR_ESCAPES);
        text.write(UnsafeByteOperations.unsafeWrap(page.array(), page.offset(), page.length()), json);
        return json.toArray();
    }

    private static byte[] end(LossyText text) {
        var json = new JsonBytes(0);
        text.end(json);
        return json.toArray();
    }

    /** The exact bytes, where text alone would not give them. */
    private static Stream<byte[]> base64(String field, CollectedBytes bytes) {
        if (bytes.isText()) {
            return Stream.empty();
        }
        var encoded = bytes.pages().map(ResultJson::base64);
        return joined(part(",\"" + field + "\":\""), encoded, part("\""));
    }

    private static byte[] base64(Bytes page) {
        return Base64.getEncoder().encode(Arrays.copyOfRange(page.array(), page.offset(), page.end()));
    }

    private static Stream<byte[]> part(String json) {
        return Stream.of(json.getBytes(StandardCharsets.US_ASCII));
    }

    @SafeVarargs
    private static Stream<byte[]> joined(Stream<byte[]>... parts) {
        return Arrays.stream(parts).reduce(Stream.empty(), Stream::concat);
    }
}
