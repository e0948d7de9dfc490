package io.bivouac.sessions.pod;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.agentlink.testing.Guest;
import io.bivouac.agentlink.testing.PodHouse;
import io.bivouac.agentlink.testing.Wait;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PodSessionWatchTest {
    private final AtomicInteger held = new AtomicInteger();
    private final AtomicInteger givenUp = new AtomicInteger();

    @Test
    void aGroupThatDoesNotAnswerHoldsUpNobodyElse() throws Exception {
        try (var house = PodHouse.start(
                        Map.of("bivouac.pod.ask-every", "100ms", "bivouac.terminal.kill-after", "200ms"));
                var silent = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> hold(silent));
            var mallory = house.guest("mallory");
            var bob = house.guest("bob");
            allow(house, "");
            house.acl("tmp", house.rule("bob", "acl:Read", "") + house.rule("mallory", "acl:Read", ""));
            opened(house, mallory);
            var bobs = opened(house, bob);
            // For bob the rule holds without the group; for mallory it has to be asked.
            allow(house, """
                    <#slow> a acl:Authorization ; acl:agent <%s> ; acl:agentGroup <http://127.0.0.1:%d/#all> ;
                        acl:accessTo <./> ; acl:mode acl:Read .
                    """.formatted(house.webId("bob"), silent.getLocalPort()));
            Wait.until(() -> held.get() > 0);

            house.acl("tmp", house.rule("mallory", "acl:Read", ""));
            Wait.until(() -> "revoked".equals(endReason(bob, bobs)));
            assertThat(givenUp).hasValue(0);
        }
    }

    private static void allow(PodHouse house, String more) throws IOException {
        house.acl(
                ".terminal",
                house.rule("bob", "acl:Read, acl:Write", "") + house.rule("mallory", "acl:Read, acl:Write", "") + more);
    }

    private static String opened(PodHouse house, Guest guest) throws IOException {
        var made = guest.post(PodHouse.SESSIONS, house.session());
        assertThat(made.status()).as("%s", made).isEqualTo(201);
        return made.text("sessionId");
    }

    private static String endReason(Guest guest, String session) {
        try {
            var reason = guest.get(PodHouse.SESSIONS + "/" + session).body().get("endReason");
            return reason == null ? null : reason.getStringValue();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private void hold(ServerSocket server) {
        try {
            while (true) {
                var socket = server.accept();
                held.incrementAndGet();
                Thread.ofVirtual().start(() -> waitForEnd(socket));
            }
        } catch (IOException over) {
            // The test is.
        }
    }

    private void waitForEnd(Socket socket) {
        try (socket) {
            socket.getInputStream().transferTo(java.io.OutputStream.nullOutputStream());
        } catch (IOException cut) {
            // An end as well.
        }
        givenUp.incrementAndGet();
    }
}
