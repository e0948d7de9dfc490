package io.bivouac.fronts.opensandbox.execd;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.bivouac.sandboxio.file.FileUse;
import io.bivouac.sandboxio.file.Files;
import io.bivouac.sandboxio.file.ReadOrder;
import io.bivouac.sandboxio.file.WriteOrder;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.inject.Singleton;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Replaces a text in a file, which is changed only if nobody else has changed it meanwhile. Thread-safe. */
@Singleton
class Replacements {
    /** A file is in memory as a whole while a text in it is replaced. */
    static final int LARGEST_FILE = 8 * 1024 * 1024;

    private final Files files;

    Replacements(Files files) {
        this.files = files;
    }

    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = true)
    record Replacement(
            @Nullable String old,
            @JsonProperty("new") @Nullable String newText) {}

    @Serdeable
    record Replaced(int replacedCount) {}

    /** How often the text was there. */
    Mono<Integer> replace(FileUse use, String path, Replacement asked) {
        if (asked.old() == null || asked.old().isEmpty()) {
            throw BivouacException.invalidRequest("old must not be empty.");
        }
        var replacement = asked.newText() == null ? "" : asked.newText();
        return files.read(use, ReadOrder.whole(path))
                .flatMap(read -> whole(read.contents()).flatMap(text -> {
                    int count = count(text, asked.old());
                    if (count == 0) {
                        return Mono.just(0);
                    }
                    var bytes = text.replace(asked.old(), replacement).getBytes(StandardCharsets.UTF_8);
                    var versions = List.of(read.entry().version());
                    var order = new WriteOrder(path, null, false, false, versions, null);
                    return files.write(use, order, Mono.just(bytes)).thenReturn(count);
                }));
    }

    private static Mono<String> whole(Flux<ByteBuffer> contents) {
        return contents.reduceWith(ByteArrayOutputStream::new, (all, piece) -> {
                    if (all.size() + piece.remaining() > LARGEST_FILE) {
                        throw new BivouacException(
                                ErrorCode.TOO_LARGE, "A file has at most " + LARGEST_FILE + " bytes for this.");
                    }
                    var bytes = new byte[piece.remaining()];
                    piece.get(bytes);
                    all.writeBytes(bytes);
                    return all;
                })
                .map(all -> all.toString(StandardCharsets.UTF_8));
    }

    private static int count(String text, String part) {
        int count = 0;
        for (int at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length())) {
            count++;
        }
        return count;
    }
}
