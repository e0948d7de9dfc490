package io.bivouac.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;

/** A connection of somebody who comes with a WebID's token, and a fresh proof for each request. Not thread-safe. */
final class GuestClient implements AutoCloseable {
    static final String SESSIONS = "/-/terminal/sessions";

    private final Server server;
    private final BenchmarkGuest guest;
    private final Connection connection;
    private final String token;

    GuestClient(Server server, BenchmarkGuest guest) throws IOException, GeneralSecurityException {
        this.server = server;
        this.guest = guest;
        this.connection = server.connect();
        this.token = guest.token();
    }

    byte[] request(String method, String path, String query, String body) throws GeneralSecurityException {
        return (method + " " + path + query + " HTTP/1.1\r\nHost: "
                        + server.url().substring("http://".length()) + "\r\n"
                        + guest.login(method, server.url() + path, token)
                        + "Content-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                .getBytes(StandardCharsets.US_ASCII);
    }

    Connection.Answer send(byte[] request) throws IOException {
        return connection.send(request);
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
