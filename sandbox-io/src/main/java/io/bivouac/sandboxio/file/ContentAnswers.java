package io.bivouac.sandboxio.file;

import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import jakarta.inject.Singleton;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import reactor.core.publisher.Mono;

/** Contents as HTTP has them: ranges, versions, and headers that keep a browser from running what a sandbox wrote. */
@Singleton
public class ContentAnswers {
    private final Files files;

    ContentAnswers(Files files) {
        this.files = files;
    }

    /** @param download whether a browser is to store the file under its name */
    public Mono<? extends HttpResponse<?>> read(FileUse use, String path, boolean download, HttpHeaders headers) {
        var range = ByteRange.read(headers.get(HttpHeaders.RANGE)).orElse(null);
        var unless = FileRequests.versions(headers.get(HttpHeaders.IF_NONE_MATCH));
        var same = FileRequests.versions(headers.get(HttpHeaders.IF_RANGE));
        if (range == null || same.isEmpty()) {
            return answer(use, new ReadOrder(path, range, unless), download);
        }
        // A range of another version would not fit to what the client has of this one.
        return files.stat(use, path)
                .map(entry -> same.contains(entry.version()) ? range : new ByteRange(0L, null))
                .flatMap(
                        fitting -> answer(use, new ReadOrder(path, fitting == range ? range : null, unless), download));
    }

    private Mono<HttpResponse<?>> answer(FileUse use, ReadOrder order, boolean download) {
        return files.read(use, order).map(read -> response(read, order.range(), download));
    }

    private static HttpResponse<?> response(FileDownload read, @Nullable ByteRange range, boolean download) {
        var entry = read.entry();
        if (read.contents() == null) {
            return HttpResponse.notModified().header(HttpHeaders.ETAG, entry.etag());
        }
        long from = range == null ? 0 : range.from(entry.size());
        long length = range == null ? entry.size() : range.length(entry.size());
        MutableHttpResponse<?> response = HttpResponse.ok(new SizedContents(read.contents(), length))
                .header(HttpHeaders.ACCEPT_RANGES, "bytes")
                .header(HttpHeaders.ETAG, entry.etag())
                .header(
                        HttpHeaders.LAST_MODIFIED,
                        DateTimeFormatter.RFC_1123_DATE_TIME.format(
                                entry.modifiedAt().atOffset(ZoneOffset.UTC)));
        if (range != null) {
            response.status(206)
                    .header(
                            HttpHeaders.CONTENT_RANGE,
                            "bytes %d-%d/%d".formatted(from, from + length - 1, entry.size()));
        }
        return guarded(response, download ? entry.name() : null);
    }

    /** What a sandbox wrote is never a page of this server's, whatever the browser makes of it. */
    static MutableHttpResponse<?> guarded(MutableHttpResponse<?> response, @Nullable String fileName) {
        var headers = response.contentType(MediaType.APPLICATION_OCTET_STREAM_TYPE)
                .header("X-Content-Type-Options", "nosniff")
                .header("Content-Security-Policy", "sandbox; default-src 'none'")
                .header(HttpHeaders.CACHE_CONTROL, "private, no-cache");
        return fileName == null ? headers : headers.header(HttpHeaders.CONTENT_DISPOSITION, attachment(fileName));
    }

    /** RFC 6266: the name in ASCII for old clients, and all of it for the others. */
    static String attachment(String name) {
        var plain = name.replaceAll("[^A-Za-z0-9._ -]", "_");
        var whole = URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
        return "attachment; filename=\"%s\"; filename*=UTF-8''%s".formatted(plain, whole);
    }
}
