package io.bivouac.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** TCP ports of the loopback address. */
final class Ports {
    static final String LOOPBACK = "127.0.0.1";

    private Ports() {}

    /** The port itself, checked to be free, or any free one for 0. */
    static int choose(int port, String who) {
        try (var socket = new ServerSocket()) {
            // A listener that has just gone leaves connections in TIME_WAIT; those are no reason to refuse.
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.ofLiteral(LOOPBACK), port));
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new EmbeddedStackException(
                    "%s cannot listen on %s:%d: %s".formatted(who, LOOPBACK, port, e.getMessage()), e);
        }
    }

    /** Any free port but this one, which is chosen and not yet taken. */
    static int chooseOtherThan(int chosen) {
        int other = choose(0, "Kafka");
        return other == chosen ? chooseOtherThan(chosen) : other;
    }
}
