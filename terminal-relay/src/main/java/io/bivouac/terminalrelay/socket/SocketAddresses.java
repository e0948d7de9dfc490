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

    /** The protocols to ask for, with a fresh ticket among them. */
    public List<String> protocols(HttpRequest<?> request, Caller caller, String terminal) {
        var origin = request.getHeaders().get("Origin");
        return List.of(BinaryCodec.NAME, Tickets.PROTOCOL + tickets.give(caller, terminal, origin));
    }
}
