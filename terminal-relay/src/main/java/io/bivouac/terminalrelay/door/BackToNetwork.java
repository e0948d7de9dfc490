package io.bivouac.terminalrelay.door;

import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import java.util.concurrent.CompletableFuture;

/**
 * Has a WebSocket opened on its network thread. The checks before wait for the database on other threads, and the
 * framework goes on where the last of them ended: a client's first frames could then come in before their reader.
 */
@ServerFilter({Paths.PTY_SOCKET, Paths.SESSION_SOCKET, Paths.EXEC_SOCKET})
@Order(Ordered.LOWEST_PRECEDENCE)
class BackToNetwork {
    @RequestFilter
    CompletableFuture<HttpRequest<?>> hop(HttpRequest<?> request) {
        var back = new CompletableFuture<HttpRequest<?>>();
        Upgrade.placeOf(request).channel().eventLoop().execute(() -> back.complete(request));
        return back;
    }
}
