package io.bivouac.http.connection;

import io.bivouac.foundation.network.Cidr;
import io.bivouac.foundation.settings.OpenFiles;
import io.micronaut.context.annotation.ConfigurationProperties;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.PositiveOrZero;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;

/** The bounds of HTTP connections. */
@ConfigurationProperties("bivouac.http")
public class ConnectionSettings {
    /** Of the descriptors, the part that connections may have: files, the database and agents need some as well. */
    private static final int PART = 3;

    private static final int USUAL = 10_000;
    private static final int PART_OF_AN_ADDRESS = 4;
    private static final int PART_OF_THE_HEAP = 4;

    private int connections = (int) Math.min(USUAL, OpenFiles.most() / PART);
    private int connectionsPerAddress;
    private List<Cidr> trustedProxies = List.of();
    private Duration requestTimeout = Duration.ofSeconds(10);
    private long unread = Runtime.getRuntime().maxMemory() / PART_OF_THE_HEAP;

    /** How many a process has at once. */
    @Positive public int getConnections() {
        return connections;
    }

    public void setConnections(int connections) {
        this.connections = connections;
    }

    /** How many of them come from one address; a quarter when it is not set. */
    @PositiveOrZero public int getConnectionsPerAddress() {
        return connectionsPerAddress > 0 ? connectionsPerAddress : Math.max(1, connections / PART_OF_AN_ADDRESS);
    }

    public void setConnectionsPerAddress(int connectionsPerAddress) {
        this.connectionsPerAddress = connectionsPerAddress;
    }

    /** Ranges of addresses that stand for many clients, and so have no bound of their own. */
    public List<Cidr> getTrustedProxies() {
        return trustedProxies;
    }

    public void setTrustedProxies(List<String> ranges) {
        this.trustedProxies = ranges.stream().map(Cidr::parse).toList();
    }

    /** From the accept, or a later request's head, to the end of that request, before anybody has logged in. */
    @NotNull public Duration getRequestTimeout() {
        return requestTimeout;
    }

    public void setRequestTimeout(Duration requestTimeout) {
        this.requestTimeout = requestTimeout;
    }

    /** Bytes that may wait for clients that do not read, of all connections together. */
    @Positive public long getUnread() {
        return unread;
    }

    public void setUnread(long unread) {
        this.unread = unread;
    }

    boolean standsForMany(InetAddress address) {
        return address.isLoopbackAddress() || trustedProxies.stream().anyMatch(range -> range.contains(address));
    }
}
