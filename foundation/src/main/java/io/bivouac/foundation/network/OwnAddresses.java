package io.bivouac.foundation.network;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The addresses of this machine's own interfaces, as they were a moment ago. Thread-safe. */
final class OwnAddresses implements Predicate<InetAddress> {
    private static final Logger LOG = LoggerFactory.getLogger(OwnAddresses.class);

    /** Interfaces come and go, and to ask for them takes a system call for each. */
    private static final Duration KEPT = Duration.ofSeconds(10);

    private Set<ByteBuffer> known = Set.of();
    private long readAt;
    private boolean read;

    @Override
    public synchronized boolean test(InetAddress address) {
        long now = System.nanoTime();
        if (!read || now - readAt > KEPT.toNanos()) {
            known = look();
            readAt = now;
            read = true;
        }
        return known.contains(ByteBuffer.wrap(address.getAddress()));
    }

    private Set<ByteBuffer> look() {
        try {
            return NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .map(own -> ByteBuffer.wrap(own.getAddress()))
                    .collect(Collectors.toUnmodifiableSet());
        } catch (SocketException failed) {
            LOG.warn("This machine's own addresses cannot be read: {}", failed.getMessage());
            return known;
        }
    }
}
