package io.bivouac.sandboxio.file;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.ServerHttpRequest;
import jakarta.inject.Singleton;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Takes the contents of a request into a sandbox, at the sandbox's pace. */
@Singleton
class ContentUploads {
    private final Files files;

    ContentUploads(Files files) {
        this.files = files;
    }

    Mono<? extends HttpResponse<?>> write(FileUse use, WriteOrder order, ServerHttpRequest<?> request) {
        return taking(request, contents -> files.write(use, order, contents)).map(written -> answer(written, order));
    }

    /** Gives the body as it comes, with nothing collected; what nobody has read in the end is dropped. */
    static <T> Mono<T> taking(ServerHttpRequest<?> request, Function<Publisher<byte[]>, Mono<T>> taker) {
        var body = request.byteBody().move();
        return taker.apply(Flux.defer(body::toByteArrayPublisher)).doFinally(_ -> body.close());
    }

    private static MutableHttpResponse<?> answer(Written written, WriteOrder order) {
        var entry = written.entry();
        if (entry == null) {
            var part = new WriteContent.Part(
                    written.received(), order.part() == null ? 0 : order.part().total());
            var response = HttpResponse.accepted().body(part);
            return part.received() == 0
                    ? response
                    : response.header(HttpHeaders.RANGE, "bytes=0-" + (part.received() - 1));
        }
        var view = FileView.of(entry);
        return (written.created() ? HttpResponse.created(view) : HttpResponse.ok(view))
                .header(HttpHeaders.ETAG, entry.etag());
    }
}
