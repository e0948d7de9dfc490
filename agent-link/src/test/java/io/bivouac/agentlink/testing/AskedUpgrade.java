package io.bivouac.agentlink.testing;

import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.ObjectMapper;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Asks for a WebSocket by hand, and reads why there is none. */
public final class AskedUpgrade {
    private static final ObjectMapper JSON = ObjectMapper.getDefault();

    private AskedUpgrade() {}

    /** @param headers beside those of every upgrade, as {@code Name: value} */
    public static Http.Answer of(String url, String... headers) throws IOException {
        return by("GET", "Upgrade", url, headers);
    }

    /** The same, bent: by another method, or with another {@code Connection}. */
    public static Http.Answer by(String method, String connection, String url, String... headers) throws IOException {
        var address = URI.create(url);
        try (var line = new Socket(address.getHost(), address.getPort())) {
            var query = address.getRawQuery() == null ? "" : "?" + address.getRawQuery();
            var request = method + " " + address.getRawPath() + query + " HTTP/1.1\r\nHost: " + address.getAuthority()
                    + "\r\nConnection: " + connection + "\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                    + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                    + (headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n") + "\r\n";
            line.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            var input = line.getInputStream();
            var head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                head.append((char) input.read());
            }
            int status = Integer.parseInt(head.substring(9, 12));
            var length = head.toString()
                    .lines()
                    .filter(one -> one.toLowerCase(Locale.ROOT).startsWith("content-length:"));
            int size = length.findFirst()
                    .map(one ->
                            Integer.parseInt(one.substring(one.indexOf(':') + 1).strip()))
                    .orElse(0);
            var body = input.readNBytes(size);
            return new Http.Answer(status, size == 0 ? null : JSON.readValue(body, JsonNode.class));
        }
    }
}
