package io.bivouac.foundation.network;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells public addresses from those inside: this machine, its networks, the cloud's metadata service. An operator's
 * list opens some of these, and only there is a connection without TLS accepted. Whoever named a host is told why there
 * is no connection, but not which address it has: that would read the inside's names out. Thread-safe.
 */
public final class AddressGuard {
    private static final Logger LOG = LoggerFactory.getLogger(AddressGuard.class);

    /** Everything that is not plain unicast of the public internet, by IANA's registries. */
    private static final List<Cidr> CLOSED_V4 = ranges(
            "0.0.0.0/8",
            "10.0.0.0/8",
            "100.64.0.0/10",
            "127.0.0.0/8",
            "169.254.0.0/16",
            "172.16.0.0/12",
            "192.0.0.0/24",
            "192.0.2.0/24",
            "192.88.99.0/24",
            "192.168.0.0/16",
            "198.18.0.0/15",
            "198.51.100.0/24",
            "203.0.113.0/24",
            "224.0.0.0/4",
            "240.0.0.0/4",
            // Azure's host agent: public by number, inside by nature.
            "168.63.129.16/32");

    private static final Cidr GLOBAL_V6 = Cidr.parse("2000::/3");

    /** Teredo and other protocol assignments, documentation, 6to4: tunnels may lead to any IPv4 address. */
    private static final List<Cidr> CLOSED_V6 = ranges("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20");

    /** The translator's well-known prefix; its last four bytes are the IPv4 address that is meant. */
    private static final Cidr NAT64 = Cidr.parse("64:ff9b::/96");

    private static final int V4_LENGTH = 4;

    private final List<Cidr> opened;
    private final Predicate<InetAddress> own;

    private AddressGuard(List<Cidr> opened, Predicate<InetAddress> own) {
        this.opened = opened;
        this.own = own;
    }

    /** @param cidrs separated by commas; may be empty */
    public static AddressGuard opening(String cidrs) {
        return opening(cidrs, new OwnAddresses());
    }

    /** @param own this machine's own addresses: services there may rely on a firewall that we are behind */
    static AddressGuard opening(String cidrs, Predicate<InetAddress> own) {
        return new AddressGuard(Cidr.list(cidrs), own);
    }

    /** Why there may be no connection to this address, in words for whoever named it; empty when there may. */
    public Optional<String> objection(InetAddress address, boolean encrypted) {
        if (opened.stream().anyMatch(range -> range.contains(address))) {
            return Optional.empty();
        }
        if (!isPublic(address) || own.test(meant(address))) {
            LOG.info("No connection was made to {}, which is not a public address", address.getHostAddress());
            return Optional.of("it leads to an address that is not public");
        }
        return encrypted ? Optional.empty() : Optional.of("it may only be reached over https");
    }

    /** All or none: a name that also means something inside is not to be trusted with any of its addresses. */
    public Optional<String> objection(Collection<InetAddress> addresses, boolean encrypted) {
        return addresses.stream()
                .flatMap(address -> objection(address, encrypted).stream())
                .findFirst();
    }

    static boolean isPublic(InetAddress address) {
        if (address instanceof Inet4Address) {
            return CLOSED_V4.stream().noneMatch(range -> range.contains(address));
        }
        if (NAT64.contains(address)) {
            return isPublic(meant(address));
        }
        // IPv4-mapped addresses arrive here as IPv4; everything else outside 2000::/3 is local in one way or another.
        return GLOBAL_V6.contains(address) && CLOSED_V6.stream().noneMatch(range -> range.contains(address));
    }

    /** Where a translator would lead; the address itself where there is none. */
    private static InetAddress meant(InetAddress address) {
        if (!NAT64.contains(address)) {
            return address;
        }
        var bytes = address.getAddress();
        try {
            return InetAddress.getByAddress(Arrays.copyOfRange(bytes, bytes.length - V4_LENGTH, bytes.length));
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static List<Cidr> ranges(String... texts) {
        return Stream.of(texts).map(Cidr::parse).toList();
    }
}
