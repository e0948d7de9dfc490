package io.bivouac.sandboxio.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.bivouac.agentlink.testing.RealAgent;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.sandboxes.token.AccessTokens;
import io.bivouac.sandboxmodel.SandboxId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Strangers are bound to their time at both doors; whoever may pass is not. */
class GatewayConnectionsTest {
    private static final int READ_MILLIS = 60_000;
    private static final String OK = "HTTP/1.1 200";

    private final List<Socket> sockets = new ArrayList<>();
    private HttpServer program;
    private TestRelay relay;
    private RealAgent agent;
    private SandboxId sandbox;

    @BeforeEach
    void start() throws IOException {
        program = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        program.createContext("/", exchange -> {
            int read = exchange.getRequestBody().readAllBytes().length;
            exchange.sendResponseHeaders(200, 1);
            exchange.getResponseBody().write('0' + read);
            exchange.close();
        });
        program.start();
        relay = TestRelay.start(Map.of("bivouac.gateway.port", 0, "bivouac.http.request-timeout", "2s"));
        sandbox = relay.sandbox();
        agent = relay.agent(sandbox);
    }

    @AfterEach
    void stop() throws IOException {
        for (var socket : sockets) {
            socket.close();
        }
        agent.close();
        relay.close();
        program.stop(0);
    }

    private Socket connect(URI door) throws IOException {
        var socket = new Socket(door.getHost(), door.getPort());
        socket.setSoTimeout(READ_MILLIS);
        sockets.add(socket);
        return socket;
    }

    private void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private String head(int length) {
        return "POST /sandbox/" + sandbox + "/port/" + program.getAddress().getPort()
                + "/ HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Access-Token: "
                + relay.bean(AccessTokens.class).current(sandbox) + "\r\nContent-Length: " + length + "\r\n\r\n";
    }

    /** Its status and its body of one byte. */
    private static String answer(Socket socket) throws IOException {
        var answer = new StringBuilder();
        while (!answer.toString().endsWith("\r\n\r\n")) {
            int next = socket.getInputStream().read();
            if (next < 0) {
                return "closed";
            }
            answer.append((char) next);
        }
        return answer.substring(0, OK.length()) + (char) socket.getInputStream().read();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aSlowUploadGoesOnWhileStrangersAreClosed(boolean ownDoor) throws Exception {
        var door = URI.create(ownDoor ? relay.bean(GatewayAddresses.class).base() : relay.url());
        var upload = connect(door);
        send(upload, head(0));
        assertThat(answer(upload)).isEqualTo(OK + '0');
        send(upload, head(2) + "x");
        assertThat(connect(door).getInputStream().read()).isEqualTo(-1);
        send(upload, "y");
        assertThat(answer(upload)).isEqualTo(OK + '2');
    }
}
