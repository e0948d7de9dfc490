package io.bivouac.http;

import io.bivouac.sandboxmodel.error.BivouacException;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import java.util.Arrays;
import java.util.List;

/** Tells the requests that open a WebSocket (RFC 6455, section 4.1), as the framework itself tells them. */
public final class WebSocketRequest {
    private WebSocketRequest() {}

    public static boolean is(HttpRequest<?> request) {
        return request.getMethod() == HttpMethod.GET
                && has(request, "Connection", "upgrade")
                && has(request, "Upgrade", "websocket");
    }

    /** Refuses any other request, before it is taken for somebody's coming. */
    public static void must(HttpRequest<?> request) {
        if (!is(request)) {
            throw BivouacException.invalidRequest(
                    "This is the address of a WebSocket: send a GET with Connection: Upgrade and Upgrade: websocket.");
        }
    }

    private static boolean has(HttpRequest<?> request, String header, String word) {
        List<String> values = request.getHeaders().getAll(header);
        return values.stream()
                .flatMap(value -> Arrays.stream(value.split(",")))
                .anyMatch(value -> value.strip().equalsIgnoreCase(word));
    }
}
