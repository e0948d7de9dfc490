package io.bivouac.fronts.mcp;

import io.bivouac.sandboxio.file.FileEntry;
import io.bivouac.sandboxio.file.FileUse;
import io.bivouac.sandboxio.file.Files;
import io.bivouac.sandboxio.file.ListOrder;
import io.bivouac.sandboxio.file.WriteOrder;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/** Tools for the files of a sandbox. Thread-safe. */
@Singleton
@Requires(condition = McpIsOn.class)
class FileTools implements Tools {
    private static final int MOST_LISTED = 500;
    private static final int OCTAL = 8;

    private final Files files;
    private final FilePieces pieces;
    private final NamedSandbox named;
    private final JsonMapper json;

    FileTools(Files files, FilePieces pieces, NamedSandbox named, JsonMapper json) {
        this.files = files;
        this.pieces = pieces;
        this.named = named;
        this.json = json;
    }

    @Override
    public Map<String, Function<ToolCall, Mono<Map<String, Object>>>> byName() {
        return Map.of("read_file", this::read, "write_file", this::write, "list_files", this::list);
    }

    private FileUse use(ToolCall call) {
        return new FileUse(named.of(call).value(), call.caller(), null);
    }

    private Mono<Map<String, Object>> read(ToolCall call) {
        var given = call.arguments();
        var path = given.needed("path");
        long offset = given.whole("offset", 0, Long.MAX_VALUE, 0);
        int length = (int) given.whole("length", 1, FilePieces.MOST, FilePieces.MOST);
        var use = use(call);
        return pieces.read(use, path, offset, length).map(piece -> {
            var content = new ArrayList<Map<String, Object>>();
            content.add(
                    piece.text() == null
                            ? Map.of("type", "resource", "resource", piece.asResource(uri(use.sandbox(), path)))
                            : ToolResult.textPart(piece.text()));
            if (piece.more()) {
                long next = offset + piece.bytes().length;
                content.add(
                        ToolResult.textPart("[Bytes " + offset + " to " + next + "; go on with offset " + next + "]"));
            }
            return ToolResult.content(content);
        });
    }

    private static String uri(String sandbox, String path) {
        return FileResources.uri(sandbox, path.startsWith("/") ? path : "/workspace/" + path);
    }

    private Mono<Map<String, Object>> write(ToolCall call) {
        var given = call.arguments();
        var text = given.text("text");
        var base64 = given.text("base64");
        if ((text == null) == (base64 == null)) {
            throw BivouacException.invalidRequest("Give either text or base64.");
        }
        var bytes = text == null ? decoded(base64) : text.getBytes(StandardCharsets.UTF_8);
        var order = new WriteOrder(
                given.needed("path"), mode(given.text("mode")), true, given.flag("onlyNew"), List.of(), null);
        return files.write(use(call), order, Mono.just(bytes))
                .map(written -> ToolResult.facts(shown(written.entry()), json));
    }

    private static byte[] decoded(String text) {
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException notBase64) {
            throw BivouacException.invalidRequest("base64 is not Base64.");
        }
    }

    private static @Nullable Integer mode(@Nullable String octal) {
        if (octal == null) {
            return null;
        }
        if (!octal.matches("[0-7]{3,4}")) {
            throw BivouacException.invalidRequest("mode must be octal digits such as 0755.");
        }
        return Integer.parseInt(octal, OCTAL);
    }

    private Mono<Map<String, Object>> list(ToolCall call) {
        var path = call.arguments().text("path");
        int depth = (int) call.arguments().whole("depth", 1, ListOrder.DEEPEST, 1);
        return files.list(use(call), new ListOrder(path == null ? "." : path, depth, MOST_LISTED, null))
                .map(page -> {
                    var shown = page.entries().stream().map(FileTools::shown).toList();
                    return ToolResult.facts(Map.of("files", shown, "more", page.next() != null), json);
                });
    }

    private static Map<String, Object> shown(FileEntry entry) {
        var shown = new LinkedHashMap<String, Object>();
        shown.put("path", entry.path());
        shown.put("name", entry.name());
        shown.put("type", entry.type().wireName());
        shown.put("size", entry.size());
        shown.put("mode", "0" + Integer.toString(entry.mode(), OCTAL));
        shown.put("user", entry.user());
        shown.put("modifiedAt", entry.modifiedAt().toString());
        if (entry.target() != null) {
            shown.put("target", entry.target());
        }
        return shown;
    }
}
