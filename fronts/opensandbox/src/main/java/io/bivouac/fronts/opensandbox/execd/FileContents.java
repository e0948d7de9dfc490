package io.bivouac.fronts.opensandbox.execd;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.bivouac.fronts.opensandbox.OpenSandboxIsOn;
import io.bivouac.fronts.opensandbox.Plane;
import io.bivouac.sandboxio.file.ContentAnswers;
import io.bivouac.sandboxio.file.FileUse;
import io.bivouac.sandboxio.file.Files;
import io.bivouac.sandboxio.file.FormReader.Part;
import io.bivouac.sandboxio.file.FormUploads;
import io.bivouac.sandboxio.file.ReadOrder;
import io.bivouac.sandboxio.file.WriteOrder;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.ServerHttpRequest;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.json.JsonMapper;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import java.io.IOException;
import java.util.List;
import reactor.core.publisher.Mono;

/** Contents of files, in and out. */
@Controller(Plane.EXECD + "/files")
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(condition = OpenSandboxIsOn.class)
class FileContents {
    private static final int LARGEST_METADATA = 64 * 1024;

    private final Insiders insiders;
    private final Files files;
    private final ContentAnswers answers;
    private final Uploads uploads;

    FileContents(Insiders insiders, Files files, ContentAnswers answers, Uploads uploads) {
        this.insiders = insiders;
        this.files = files;
        this.answers = answers;
        this.uploads = uploads;
    }

    /**
     * The bytes, or some of the lines.
     *
     * @param offset the first line, from 1
     * @param limit how many lines
     */
    @Get("/download")
    @Produces(MediaType.ALL)
    Mono<? extends HttpResponse<?>> download(
            SandboxId id,
            @QueryValue String path,
            @Nullable @QueryValue Long offset,
            @Nullable @QueryValue Long limit,
            HttpRequest<?> http) {
        var use = insiders.files(id, http);
        if (offset == null && limit == null) {
            return answers.read(use, path, false, http.getHeaders());
        }
        var lines = new LineRange(offset == null ? 1 : offset, limit == null ? Long.MAX_VALUE : limit);
        return files.read(use, ReadOrder.whole(path))
                .flatMap(read -> lines.of(read.contents()))
                .map(text -> HttpResponse.ok(text).contentType(MediaType.APPLICATION_OCTET_STREAM_TYPE));
    }

    @Post("/upload")
    @Consumes(MediaType.ALL)
    HttpResponse<Void> upload(SandboxId id, ServerHttpRequest<?> http) {
        uploads.read(insiders.files(id, http), http);
        return HttpResponse.ok();
    }

    /** Forms with pairs of parts: what is said of a file, and the file. Thread-safe. */
    @jakarta.inject.Singleton
    @Requires(condition = OpenSandboxIsOn.class)
    record Uploads(FormUploads forms, Files files, JsonMapper json) {
        /** @param mode octal digits as a decimal number */
        @Serdeable
        @JsonIgnoreProperties(ignoreUnknown = true)
        record Metadata(
                @Nullable String path,
                @Nullable Integer mode,
                @Nullable String owner,
                @Nullable String group) {
            Permission permission() {
                return new Permission(mode, owner, group);
            }
        }

        void read(FileUse use, ServerHttpRequest<?> http) {
            var said = new Metadata[1];
            forms.read(http, part -> {
                if (part.name().equals("metadata")) {
                    said[0] = metadata(part);
                } else {
                    if (said[0] == null
                            || said[0].path() == null
                            || said[0].path().isEmpty()) {
                        throw BivouacException.invalidRequest(
                                "A part 'metadata' with a path belongs before each file.");
                    }
                    write(use, said[0], part);
                    said[0] = null;
                }
            });
        }

        private Metadata metadata(Part part) throws IOException {
            var bytes = part.contents().readNBytes(LARGEST_METADATA);
            try {
                return json.readValue(bytes, Metadata.class);
            } catch (IOException notJson) {
                throw BivouacException.invalidRequest("The part 'metadata' is not the JSON that belongs there.");
            }
        }

        private void write(FileUse use, Metadata metadata, Part part) {
            var permission = metadata.permission();
            var order = new WriteOrder(metadata.path(), permission.bits(), true, false, List.of(), null);
            var written = files.write(use, order, forms.published(part.contents()));
            if (metadata.owner() == null || metadata.owner().isEmpty()) {
                written.block();
            } else {
                written.then(permission.give(files, use, metadata.path())).block();
            }
        }
    }
}
