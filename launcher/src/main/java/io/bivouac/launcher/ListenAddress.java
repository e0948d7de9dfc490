package io.bivouac.launcher;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;

/** Where the server listens, found to be free before anything else is started. */
record ListenAddress(String host, int port, String url) {
    static ListenAddress choose(LauncherSettings settings) {
        var host = settings.host();
        try (var socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            var address = InetAddress.getByName(host);
            socket.bind(new InetSocketAddress(address, settings.port()));
            return new ListenAddress(host, socket.getLocalPort(), url(settings, address, socket.getLocalPort()));
        } catch (UnknownHostException e) {
            throw new StartRefused("BIVOUAC_HOST is \"%s\", which is no address of this machine.".formatted(host), e);
        } catch (IOException e) {
            throw new StartRefused(
                    "Port %d on %s cannot be used: %s. Choose another with BIVOUAC_PORT (0 = any free one)."
                            .formatted(settings.port(), host, e.getMessage()),
                    e);
        }
    }

    /** An address to type on this machine: the wildcard is none. */
    private static String url(LauncherSettings settings, InetAddress address, int port) {
        var host = settings.host();
        var name = address.isAnyLocalAddress() ? "127.0.0.1" : host.contains(":") ? "[" + host + "]" : host;
        return "%s://%s:%d".formatted(settings.tls() ? "https" : "http", name, port);
    }
}
