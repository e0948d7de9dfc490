package io.bivouac.fronts.mcp;

import io.bivouac.sandboxio.file.ByteRange;
import io.bivouac.sandboxio.file.FileType;
import io.bivouac.sandboxio.file.FileUse;
import io.bivouac.sandboxio.file.Files;
import io.bivouac.sandboxio.file.ReadOrder;
import io.micronaut.core.annotation.Nullable;
import jakarta.inject.Singleton;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import reactor.core.publisher.Mono;

/** Pieces of files that fit into a conversation. Thread-safe. */
@Singleton
class FilePieces {
    /** Bytes of one answer. */
    static final int MOST = 256 * 1024;

    private final Files files;

    FilePieces(Files files) {
        this.files = files;
    }

    /**
     * A piece.
     *
     * @param text null when the bytes are not UTF-8
     * @param bytes whole characters, when they are text
     * @param more whether the file goes on behind them
     */
    record Piece(@Nullable String text, byte[] bytes, boolean more) {
        Map<String, Object> asResource(String uri) {
            return text == null
                    ? Map.of(
                            "uri",
                            uri,
                            "mimeType",
                            "application/octet-stream",
                            "blob",
                            Base64.getEncoder().encodeToString(bytes))
                    : Map.of("uri", uri, "mimeType", "text/plain", "text", text);
        }
    }

    Mono<Piece> read(FileUse use, String path, long offset, int length) {
        return files.stat(use, path).flatMap(entry -> {
            // An empty file has no range that could be asked for; the size of a link is not that of its file.
            if (entry.type() == FileType.FILE && offset >= entry.size()) {
                return Mono.just(new Piece("", new byte[0], false));
            }
            // One byte more tells whether there is more.
            var range = new ByteRange(offset, offset + length);
            return files.read(use, new ReadOrder(path, range, List.of()))
                    .flatMap(read -> read.contents().reduceWith(ByteArrayOutputStream::new, FilePieces::add))
                    .map(read -> cut(read.toByteArray(), length));
        });
    }

    private static ByteArrayOutputStream add(ByteArrayOutputStream all, ByteBuffer piece) {
        var bytes = new byte[piece.remaining()];
        piece.get(bytes);
        all.writeBytes(bytes);
        return all;
    }

    /** Behind the end of a piece a character may go on: it belongs to the next piece. */
    static Piece cut(byte[] read, int length) {
        boolean more = read.length > length;
        var bytes = more ? Arrays.copyOf(read, length) : read;
        var in = ByteBuffer.wrap(bytes);
        var out = CharBuffer.allocate(bytes.length);
        boolean wrong =
                StandardCharsets.UTF_8.newDecoder().decode(in, out, !more).isError();
        if (wrong || (in.position() == 0 && bytes.length > 0)) {
            return new Piece(null, bytes, more);
        }
        return new Piece(out.flip().toString(), Arrays.copyOf(bytes, in.position()), more);
    }
}
