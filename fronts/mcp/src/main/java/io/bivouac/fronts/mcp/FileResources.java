package io.bivouac.fronts.mcp;

import io.bivouac.foundation.access.Caller;
import io.bivouac.sandboxes.lifecycle.Sandboxes;
import io.bivouac.sandboxes.store.SandboxFilter;
import io.bivouac.sandboxio.file.FileEntry;
import io.bivouac.sandboxio.file.FileType;
import io.bivouac.sandboxio.file.FileUse;
import io.bivouac.sandboxio.file.Files;
import io.bivouac.sandboxio.file.ListOrder;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Files as resources, so that a person can add one to a conversation. Thread-safe. */
@Singleton
@Requires(condition = McpIsOn.class)
class FileResources {
    static final String SCHEME = "bivouac://";

    /** Sandboxes that one listing looks into, and files of each. */
    private static final int MOST_SANDBOXES = 10;

    private static final int MOST_FILES = 100;
    private static final String WORKSPACE = "/workspace";

    private final Sandboxes sandboxes;
    private final Files files;
    private final FilePieces pieces;

    FileResources(Sandboxes sandboxes, Files files, FilePieces pieces) {
        this.sandboxes = sandboxes;
        this.files = files;
        this.pieces = pieces;
    }

    static String uri(String sandbox, String path) {
        return SCHEME
                + sandbox
                + Arrays.stream(path.split("/"))
                        .map(step ->
                                URLEncoder.encode(step, StandardCharsets.UTF_8).replace("+", "%20"))
                        .collect(Collectors.joining("/"));
    }

    Map<String, Object> templates() {
        return Map.of(
                "resourceTemplates",
                List.of(Map.of(
                        "uriTemplate",
                        SCHEME + "{sandbox}/{+path}",
                        "name",
                        "file",
                        "title",
                        "A file in a sandbox",
                        "description",
                        "The path is the whole path, such as workspace/main.py; " + FilePieces.MOST
                                + " bytes at most.")));
    }

    /** Waits for the database. A sandbox that ends meanwhile has no files. */
    Mono<Map<String, Object>> list(Caller caller) {
        var filter = new SandboxFilter(SandboxState.RUNNING.wireName(), null, Map.of(), null, MOST_SANDBOXES);
        return Flux.fromIterable(sandboxes.list(caller, filter).items())
                .concatMap(sandbox -> files.list(
                                new FileUse(sandbox.id().value(), caller, null),
                                new ListOrder(WORKSPACE, 1, MOST_FILES, null))
                        .flatMapIterable(page -> page.entries())
                        .onErrorResume(BivouacException.class, _ -> Flux.empty())
                        .filter(entry -> entry.type() == FileType.FILE)
                        .map(entry -> shown(sandbox, entry)))
                .collectList()
                .map(all -> Map.of("resources", all));
    }

    private static Map<String, Object> shown(Sandbox sandbox, FileEntry entry) {
        var name = sandbox.definition().name();
        return Map.of(
                "uri",
                uri(sandbox.id().value(), entry.path()),
                "name",
                entry.name(),
                "title",
                entry.name() + " in " + (name == null ? sandbox.id() : name));
    }

    Mono<Map<String, Object>> read(ToolCall call, NamedSandbox named) {
        var uri = call.arguments().needed("uri");
        int slash = uri.indexOf('/', SCHEME.length());
        if (!uri.startsWith(SCHEME) || slash < 0) {
            throw BivouacException.invalidRequest("A resource is named by " + SCHEME + "{sandbox}/{path}.");
        }
        var sandbox = named.of(call, decoded(uri.substring(SCHEME.length(), slash)));
        var path = decoded(uri.substring(slash));
        return pieces.read(new FileUse(sandbox.value(), call.caller(), null), path, 0, FilePieces.MOST)
                .map(piece -> {
                    if (piece.more()) {
                        throw new BivouacException(
                                ErrorCode.TOO_LARGE,
                                path + " has more than the " + FilePieces.MOST
                                        + " bytes of a resource. read_file reads it in pieces.");
                    }
                    return Map.of("contents", List.of(piece.asResource(uri)));
                });
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            throw BivouacException.invalidRequest("The resource's URI is not encoded as UTF-8 with %.");
        }
    }
}
