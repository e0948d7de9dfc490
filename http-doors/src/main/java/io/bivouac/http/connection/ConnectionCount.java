package io.bivouac.http.connection;

import io.micronaut.core.annotation.Nullable;
import io.netty.channel.Channel;
import jakarta.inject.Singleton;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/** Counts the connections of every listener for HTTP, from their accept on. Thread-safe. */
@Singleton
public class ConnectionCount {
    private static final int NETWORK_BYTES = 8;
    private static final int ADDRESS_BYTES = 16;

    private final HttpConnections connections;
    private final ConnectionSettings settings;

    ConnectionCount(HttpConnections connections, ConnectionSettings settings) {
        this.connections = connections;
        this.settings = settings;
    }

    /** Gives the handler to put directly behind the connection's HTTP codec. On the connection's event loop. */
    public HttpConnection open(Channel accepted) {
        var connection =
                new HttpConnection(accepted, connections, countedAddress(accepted), settings.getRequestTimeout());
        connection.open();
        return connection;
    }

    /** Null for those that stand for many clients: this machine's, and a proxy's. */
    private @Nullable InetAddress countedAddress(Channel channel) {
        if (!(channel.remoteAddress() instanceof InetSocketAddress peer) || settings.standsForMany(peer.getAddress())) {
            return null;
        }
        return peer.getAddress() instanceof Inet6Address six ? network(six) : peer.getAddress();
    }

    /** Whoever has one address of IPv6 usually has 2^64. */
    private static InetAddress network(Inet6Address address) {
        try {
            return InetAddress.getByAddress(
                    Arrays.copyOf(Arrays.copyOf(address.getAddress(), NETWORK_BYTES), ADDRESS_BYTES));
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
