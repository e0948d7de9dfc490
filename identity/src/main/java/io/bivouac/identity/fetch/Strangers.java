package io.bivouac.identity.fetch;

import io.bivouac.foundation.share.Party;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * On whose account a stranger's document is fetched. Whoever has a domain has any number of names in it, and whoever has
 * a network any number of addresses: names count for their domain, addresses for their network.
 */
final class Strangers {
    /** Of a name: who has "example.org" has all names that end so. */
    private static final int LABELS_OF_A_DOMAIN = 2;

    private static final int IPV4_BYTES = 4;

    /** A /24. */
    private static final int IPV4_NETWORK_BYTES = 3;

    /** A /48, which is what a site gets. */
    private static final int IPV6_NETWORK_BYTES = 6;

    private Strangers() {}

    static Party named(String host) {
        var labels = host.split("\\.");
        int from = Math.max(0, labels.length - LABELS_OF_A_DOMAIN);
        return new Party(String.join(".", Arrays.copyOfRange(labels, from, labels.length)), host);
    }

    static Party at(String host, InetAddress address) {
        var bytes = address.getAddress();
        int network = bytes.length == IPV4_BYTES ? IPV4_NETWORK_BYTES : IPV6_NETWORK_BYTES;
        return new Party(HexFormat.of().formatHex(bytes, 0, network), host);
    }
}
