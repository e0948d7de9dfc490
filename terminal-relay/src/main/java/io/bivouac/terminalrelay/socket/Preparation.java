package io.bivouac.terminalrelay.socket;

import io.bivouac.http.FilterOrder;
import io.bivouac.terminalrelay.terminal.ClientFrames;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.annotation.Order;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.netty.handler.codec.http.websocketx.WebSocketFrameAggregator;
import java.util.NoSuchElementException;

/** Puts the first handlers for a terminal's frames in place, just before its WebSocket is opened. */
@ServerFilter({TerminalPaths.PTY_SOCKET, TerminalPaths.SESSION_SOCKET, TerminalPaths.EXEC_SOCKET})
@Order(FilterOrder.UPGRADE)
class Preparation {
    /** Refuses those who have gone already: there is nothing to open any more. */
    @RequestFilter
    @Nullable HttpResponse<?> prepare(HttpRequest<?> request) {
        var place = Upgrade.placeOf(request);
        try {
            if (place.pipeline().get(EarlyFrames.class) == null) {
                place.pipeline()
                        .addBefore(place.name(), "terminal-whole", new WebSocketFrameAggregator(ClientFrames.LARGEST))
                        .addBefore(place.name(), EarlyFrames.NAME, new EarlyFrames());
            }
            return null;
        } catch (NoSuchElementException gone) {
            return HttpResponse.badRequest();
        }
    }
}
