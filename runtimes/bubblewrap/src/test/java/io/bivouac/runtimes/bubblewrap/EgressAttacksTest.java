package io.bivouac.runtimes.bubblewrap;

import static io.bivouac.runtimes.bubblewrap.Guard.NETWORK;
import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.foundation.fixture.Names;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxmodel.egress.EgressPolicy;
import io.bivouac.sandboxmodel.transition.Happening.EgressChanged;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a workload tries in order to reach more than its policy allows. */
class EgressAttacksTest extends AttackFixture {
    private static final String NAME = "allowed.example";

    /** Asks the proxy for each line of the input and prints the status of each answer. */
    private static final String ASK = """
            import socket, sys
            for line in %s:
                s = socket.create_connection(('127.0.0.1', 3128), 20)
                s.sendall((line + ' HTTP/1.1\\r\\n\\r\\n').encode('latin1'))
                answer = b''
                while b'\\r\\n' not in answer:
                    more = s.recv(4096)
                    if not more:
                        break
                    answer += more
                print(answer.split(b' ')[1].decode() if b' ' in answer else 'cut')
            """;

    private Server server;
    private Server inside;

    /** Says {@code hello} to each that asks for a page, and echoes to the others. */
    private static final class Server implements AutoCloseable {
        private final ServerSocket socket;
        private final AtomicInteger came = new AtomicInteger();

        Server(String address, int port) throws IOException {
            socket = new ServerSocket(port, 8, InetAddress.getByName(address));
            Thread.ofVirtual().start(this::accept);
        }

        int port() {
            return socket.getLocalPort();
        }

        private void accept() {
            try {
                while (true) {
                    var client = socket.accept();
                    came.incrementAndGet();
                    Thread.ofVirtual().start(() -> serve(client));
                }
            } catch (IOException closed) {
                // The test is over.
            }
        }

        private static void serve(Socket client) {
            try (client) {
                var piece = new byte[4096];
                for (int n = client.getInputStream().read(piece);
                        n > 0;
                        n = client.getInputStream().read(piece)) {
                    var said = new String(piece, 0, n, StandardCharsets.ISO_8859_1);
                    if (said.startsWith("GET ")) {
                        client.getOutputStream().write("HTTP/1.0 200 OK\r\n\r\nhello".getBytes(StandardCharsets.UTF_8));
                        return;
                    }
                    client.getOutputStream().write(piece, 0, n);
                }
            } catch (IOException gone) {
                // So be it.
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    @BeforeEach
    void serve() throws IOException {
        server = new Server(TestRelay.REACHABLE, 0);
        inside = new Server("127.0.0.1", server.port());
        Names.set(NAME, TestRelay.REACHABLE);
    }

    @AfterEach
    void close() throws IOException {
        server.close();
        inside.close();
        assertThat(inside.came).as("nobody ever came to what is inside").hasValue(0);
    }

    private static void allow(Sandbox target, String... hosts) {
        TestRelay.bean(SandboxStore.class).on(target.id(), new EgressChanged(EgressPolicy.allowing(List.of(hosts))));
    }

    private String allowed() {
        return NAME + ":" + server.port();
    }

    /** The statuses of the answers. */
    private static List<String> ask(Sandbox from, String... lines) {
        var list = "["
                + String.join(
                        ", ", Arrays.stream(lines).map(line -> "'" + line + "'").toList()) + "]";
        var result = from.shell(python(ASK.formatted(list)));
        assertThat(result.exitCode()).as(result.toString()).isZero();
        return result.stdout().lines().toList();
    }

    @Test
    void aProgramThatKnowsNothingOfItReachesWhatIsAllowed() {
        var target = sandbox(guarded());
        allow(target, allowed());
        var program =
                "import urllib.request\nprint(urllib.request.urlopen('http://" + allowed() + "/').read().decode())";
        assertThat(target.shell(python(program)).stdout()).isEqualTo("hello\n");
        allow(target);
        var refused = target.shell(python(program));
        assertThat(refused.stderr()).contains("403: This sandbox may not reach " + allowed());
        assertThat(target.shell("echo $HTTPS_PROXY $NO_PROXY").stdout())
                .isEqualTo("http://127.0.0.1:3128 localhost,127.0.0.1,::1\n");
    }

    @Test
    void nothingIsAllowedUnlessItIsSaid() {
        assertThat(ask(sandbox(guarded()), "CONNECT " + allowed(), "GET http://" + allowed() + "/"))
                .containsExactly("403", "403");
        assertThat(server.came).hasValue(0);
    }

    /** An allowed host is still reached by the proxy alone. */
    @Test
    void socketsOfItsOwnLeadNowhere() {
        var attack = python(
                "import socket\nsocket.create_connection(('%s', %d), 2)".formatted(TestRelay.REACHABLE, server.port()));
        var target = sandbox(guarded());
        allow(target, allowed(), TestRelay.REACHABLE + ":" + server.port());
        refused("all guards", target.shell(attack));
        heldBy(null, attack, NETWORK);
    }

    @Test
    void namesAreNotLookedUpFromInside() throws IOException {
        try (var resolver = new DatagramSocket(0, InetAddress.getByName(TestRelay.REACHABLE))) {
            Thread.ofVirtual().start(() -> echo(resolver));
            heldBy(null, python("""
                    import socket
                    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
                    s.settimeout(2)
                    s.sendto(b'who is', ('%s', %d))
                    s.recv(16)""".formatted(TestRelay.REACHABLE, resolver.getLocalPort())), NETWORK);
        }
        var target = sandbox(guarded());
        refused("all guards", target.shell(python("""
                import socket
                socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'who is', ('192.0.2.53', 53))""")));
    }

    private static void echo(DatagramSocket socket) {
        try {
            while (true) {
                var packet = new DatagramPacket(new byte[16], 16);
                socket.receive(packet);
                socket.send(packet);
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    /** Listed or not: what is inside is not dialled, however it is written. */
    @Test
    void addressesInsideAreNotReachedHoweverTheyAreWritten() {
        int port = server.port();
        var target = sandbox(guarded());
        allow(target, "127.0.0.1:" + port, "[::1]:" + port, "169.254.169.254:80", "10.0.0.1", "localhost:" + port);
        assertThat(ask(
                        target,
                        "CONNECT 127.0.0.1:" + port,
                        "CONNECT [::ffff:127.0.0.1]:" + port,
                        "CONNECT [::ffff:7f00:1]:" + port,
                        "CONNECT [::1]:" + port,
                        "CONNECT localhost:" + port,
                        "CONNECT 169.254.169.254:80",
                        "GET http://169.254.169.254/latest/meta-data/",
                        "CONNECT 10.0.0.1:443"))
                .containsOnly("403");
        assertThat(ask(
                        target,
                        "CONNECT 2130706433:" + port,
                        "CONNECT 0x7f000001:" + port,
                        "CONNECT 0x7f.0.0.1:" + port,
                        "CONNECT 0177.0.0.1:" + port,
                        "CONNECT 127.1:" + port,
                        "CONNECT [::127.0.0.1%25lo]:" + port))
                .containsOnly("400");
    }

    @Test
    void anAddressIsNotAllowedByItsName() {
        var target = sandbox(guarded());
        allow(target, allowed());
        assertThat(ask(target, "CONNECT " + TestRelay.REACHABLE + ":" + server.port(), "CONNECT " + allowed()))
                .containsExactly("403", "200");
    }

    /** One look-up for each connection: the address that was checked is the one that is dialled. */
    @Test
    void aNameThatChangesItsMeaningIsOfNoUse() {
        var target = sandbox(guarded());
        allow(target, "rebinding.example:" + server.port());
        Names.set("rebinding.example", TestRelay.REACHABLE, "127.0.0.1");
        var wish = "CONNECT rebinding.example:" + server.port();
        assertThat(ask(target, wish, wish)).containsExactly("200", "403");
        assertThat(server.came).hasValue(1);
    }

    @Test
    void aWildcardIsAsWideAsItSays() {
        int port = server.port();
        for (var name :
                List.of("www.example.org", "a.b.example.org", "example.org", "evilexample.org", "example.org.evil")) {
            Names.set(name, TestRelay.REACHABLE);
        }
        var target = sandbox(guarded());
        allow(target, "*.example.org:" + port);
        assertThat(ask(
                        target,
                        "CONNECT www.example.org:" + port,
                        "CONNECT a.b.EXAMPLE.org.:" + port,
                        "CONNECT example.org:" + port,
                        "CONNECT evilexample.org:" + port,
                        "CONNECT example.org.evil:" + port,
                        "CONNECT www.example.org:443"))
                .containsExactly("200", "200", "403", "403", "403", "403");
    }

    @Test
    void aRequestThatSaysTwoThingsIsRefused() {
        var target = sandbox(guarded());
        allow(target, allowed());
        assertThat(ask(
                        target,
                        "CONNECT %s evil.example:443".formatted(allowed()),
                        "CONNECT %s@evil.example:443".formatted(allowed()),
                        "CONNECT %s\\rHost: evil.example".formatted(allowed()),
                        "CONNECT %s\\nCONNECT evil.example:443".formatted(allowed()),
                        "GET http://%s\\t@evil.example/".formatted(allowed())))
                .containsOnly("400");
        assertThat(ask(target, "CONNECT evil.example:443 HTTP/1.1\\r\\nHost: " + allowed() + "\\r\\nX: y"))
                .containsExactly("403");
        assertThat(server.came).hasValue(0);
    }

    @Test
    void whatCannotBeReachedIsSaidToBeSo() throws IOException {
        Names.set("unknown.example");
        server.close();
        var target = sandbox(guarded());
        allow(target, "unknown.example", allowed());
        assertThat(ask(target, "CONNECT unknown.example:443", "CONNECT " + allowed()))
                .containsExactly("502", "502");
    }

    @Test
    void anotherSandboxesWayOutIsItsOwn() {
        var neighbour = sandbox(guarded());
        allow(neighbour, allowed());
        assertThat(ask(sandbox(guarded()), "CONNECT " + allowed())).containsExactly("403");
        assertThat(ask(neighbour, "CONNECT " + allowed())).containsExactly("200");
        assertThat(server.came).hasValue(1);
    }

    @Test
    void whatIsWithdrawnIsCutWhileItIsInUse() throws Exception {
        var target = sandbox(guarded());
        allow(target, allowed());
        var program = python("""
                import socket
                s = socket.create_connection(('127.0.0.1', 3128), 20)
                s.sendall(b'CONNECT %s HTTP/1.1\\r\\n\\r\\n')
                assert s.recv(4096).startswith(b'HTTP/1.1 200')
                s.sendall(b'ping')
                assert s.recv(4) == b'ping'
                open('/workspace/connected', 'w')
                s.settimeout(25)
                try:
                    print('cut' if s.recv(1) == b'' else 'spoken to')
                except ConnectionResetError:
                    print('cut')""".formatted(allowed()));
        var end = CompletableFuture.supplyAsync(() -> target.shell(program));
        while (target.shell("test -e /workspace/connected").exitCode() != 0) {
            assertThat(end).as("still connecting").isNotDone();
        }
        allow(target);
        assertThat(end.get(60, TimeUnit.SECONDS).stdout()).isEqualTo("cut\n");
    }
}
