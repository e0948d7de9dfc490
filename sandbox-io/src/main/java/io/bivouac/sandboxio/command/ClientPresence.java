package io.bivouac.sandboxio.command;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpRequestWrapper;
import io.micronaut.http.server.netty.NettyHttpRequest;
import io.netty.channel.ChannelFutureListener;
import reactor.core.publisher.Mono;

/**
 * Notices that a client has gone while its answer is still being made; the server itself looks at this only once
 * it has something to send.
 */
public final class ClientPresence {
    private ClientPresence() {}

    /** The same answer, cancelled when the client's connection is closed. */
    public static <T> Mono<T> whileConnected(HttpRequest<?> request, Mono<T> answer) {
        var inner = request;
        while (inner instanceof HttpRequestWrapper<?> wrapper) {
            inner = wrapper.getDelegate();
        }
        return inner instanceof NettyHttpRequest<?> netty ? answer.takeUntilOther(closed(netty)) : answer;
    }

    private static Mono<Boolean> closed(NettyHttpRequest<?> request) {
        return Mono.create(gone -> {
            var end = request.getChannelHandlerContext().channel().closeFuture();
            ChannelFutureListener listener = _ -> gone.success(true);
            end.addListener(listener);
            // A connection serves many requests: what is not taken back stays with it.
            gone.onDispose(() -> end.removeListener(listener));
        });
    }
}
