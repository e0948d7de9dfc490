package io.bivouac.sandboxio.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections that leave HTTP. */
class GatewayUpgradesTest extends GatewayFixture {
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void webSocketsAndOtherUpgradesPassAtBothPorts(boolean main) throws Exception {
        try (var echo = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> upgradeAndEcho(echo));
            var url = URI.create(main ? relay.url() : base());
            try (var socket = new Socket(url.getHost(), url.getPort())) {
                socket.setSoTimeout(20_000);
                socket.getOutputStream()
                        .write(("GET /sandbox/%s/port/%d/ws HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\n"
                                        + "Upgrade: websocket\r\nSec-WebSocket-Key: x\r\nX-Access-Token: %s\r\n\r\n")
                                .formatted(sandbox, echo.getLocalPort(), token())
                                .getBytes(StandardCharsets.US_ASCII));
                var in = socket.getInputStream();
                assertThat(head(in)).startsWith("HTTP/1.1 101").contains("websocket");
                assertThat(new String(in.readNBytes(5), StandardCharsets.US_ASCII))
                        .isEqualTo("first");
                for (var word : List.of("ping", "\u0081\u0002hi")) {
                    socket.getOutputStream().write(word.getBytes(StandardCharsets.ISO_8859_1));
                    assertThat(new String(in.readNBytes(word.length()), StandardCharsets.ISO_8859_1))
                            .isEqualTo(word);
                }
            }
        }
    }

    private static void upgradeAndEcho(ServerSocket server) {
        try (var served = server.accept()) {
            head(served.getInputStream());
            // With the first bytes of the new protocol in the same packet.
            served.getOutputStream()
                    .write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nfirst"
                            .getBytes(StandardCharsets.US_ASCII));
            served.getInputStream().transferTo(served.getOutputStream());
        } catch (IOException over) {
            // The test has what it wanted.
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void bytesOfAnyProtocolPassByTheTcpUpgrade(boolean main) throws Exception {
        try (var echo = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> {
                try (var served = echo.accept()) {
                    served.getInputStream().transferTo(served.getOutputStream());
                } catch (IOException failed) {
                    throw new UncheckedIOException(failed);
                }
            });
            var url = URI.create(main ? relay.url() : base());
            try (var socket = new Socket(url.getHost(), url.getPort())) {
                socket.setSoTimeout(20_000);
                socket.getOutputStream().write(tcp(echo.getLocalPort()).getBytes(StandardCharsets.US_ASCII));
                assertThat(head(socket.getInputStream())).startsWith("HTTP/1.1 101");
                var sent = new byte[1 << 20];
                new Random(5).nextBytes(sent);
                Thread.ofVirtual().start(() -> {
                    try {
                        socket.getOutputStream().write(sent);
                        socket.shutdownOutput();
                    } catch (IOException failed) {
                        throw new UncheckedIOException(failed);
                    }
                });
                assertThat(Arrays.equals(socket.getInputStream().readAllBytes(), sent))
                        .isTrue();
            }
        }
    }

    @Test
    void aTcpUpgradeToAPortWhereNobodyListensIs502() throws Exception {
        program.stop(0);
        assertThat(raw(tcp(program.getAddress().getPort()))).startsWith("HTTP/1.1 502");
    }
}
