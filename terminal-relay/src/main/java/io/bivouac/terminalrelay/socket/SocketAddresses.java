package io.bivouac.terminalrelay.socket;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Tickets;
import io.bivouac.foundation.settings.PublicUrl;
import io.bivouac.terminalrelay.wire.BinaryCodec;
import io.micronaut.http.HttpRequest;
import jakarta.inject.Singleton;
import java.util.List;

/** Where clients find a terminal's WebSocket, and what a browser needs to get in. */
@Singleton
public class SocketAddresses {
    private final PublicUrl publicUrl;
    private final Tickets tickets;

    SocketAddresses(PublicUrl publicUrl, Tickets tickets) {
        this.publicUrl = publicUrl;
        this.tickets = tickets;
    }

    public String url(HttpRequest<?> request, String path) {
        var base = publicUrl.text().orElseGet(() -> addressIn(request));
        // http becomes ws, and https becomes wss.
        return "ws" + base.substring("http".length()) + path;
    }

    private static String addressIn(HttpRequest<?> request) {
        return (request.isSecure() ? "https://" : "http://")
                + request.getHeaders().get("Host");
    }

    /**
     * A way into a terminal's WebSocket, once: a fresh ticket is in it.
     *
     * @param protocols the subprotocols to ask for
     */
    public record Way(String url, List<String> protocols) {}

    /** @param inUrl whether the ticket is part of the address, and not among the protocols */
    public Way way(HttpRequest<?> request, String path, Caller caller, String terminal, boolean inUrl) {
        var ticket = tickets.give(caller, terminal, request.getHeaders().get("Origin"));
        var url = url(request, path);
        return inUrl
                ? new Way(url + "?" + Tickets.PARAMETER + "=" + ticket, List.of(BinaryCodec.NAME))
                : new Way(url, List.of(BinaryCodec.NAME, Tickets.PROTOCOL + ticket));
    }
}
