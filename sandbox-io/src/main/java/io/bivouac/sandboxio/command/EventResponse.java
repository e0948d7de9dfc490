package io.bivouac.sandboxio.command;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.netty.buffer.ByteBuf;
import reactor.core.publisher.Flux;

/** The frame around an event stream. */
final class EventResponse {
    private EventResponse() {}

    static HttpResponse<Flux<ByteBuf>> of(Flux<ByteBuf> body) {
        return HttpResponse.ok(body)
                .contentType(MediaType.TEXT_EVENT_STREAM_TYPE)
                .header(HttpHeaders.CACHE_CONTROL, "no-store")
                // Proxies that collect before they pass on would turn a stream into a wait.
                .header("X-Accel-Buffering", "no");
    }
}
