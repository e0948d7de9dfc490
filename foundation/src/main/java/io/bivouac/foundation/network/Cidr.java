package io.bivouac.foundation.network;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.Stream;

/** A range of addresses, such as {@code 10.0.0.0/8} or {@code fd00::/8}; a lone address is a range of one. */
public record Cidr(InetAddress base, int bits) {
    public Cidr {
        int longest = base.getAddress().length * Byte.SIZE;
        if (bits < 0 || bits > longest) {
            throw new IllegalArgumentException("a prefix of " + bits + " bits does not fit " + base.getHostAddress());
        }
    }

    public static Cidr parse(String text) {
        var parts = text.strip().split("/", 2);
        // Nothing but a literal: a name would be looked up, and mean something else tomorrow.
        if (!parts[0].matches("[0-9]+(\\.[0-9]+){3}|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*")) {
            throw malformed(text);
        }
        try {
            var base = InetAddress.getByName(parts[0]);
            int longest = base.getAddress().length * Byte.SIZE;
            return new Cidr(base, parts.length == 1 ? longest : Integer.parseInt(parts[1]));
        } catch (UnknownHostException | IllegalArgumentException unreadable) {
            throw malformed(text);
        }
    }

    /** Several, separated by commas; none of an empty text. */
    public static List<Cidr> list(String texts) {
        return Stream.of(texts.split(","))
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .map(Cidr::parse)
                .toList();
    }

    public boolean contains(InetAddress address) {
        var wanted = base.getAddress();
        var given = address.getAddress();
        if (wanted.length != given.length) {
            return false;
        }
        int whole = bits / Byte.SIZE;
        for (int i = 0; i < whole; i++) {
            if (wanted[i] != given[i]) {
                return false;
            }
        }
        int rest = bits % Byte.SIZE;
        int mask = 0xff << (Byte.SIZE - rest) & 0xff;
        return rest == 0 || (wanted[whole] & mask) == (given[whole] & mask);
    }

    private static IllegalArgumentException malformed(String text) {
        return new IllegalArgumentException(
                "\"" + text.strip() + "\" is not a range of addresses such as 10.0.0.0/8 or fd00::/8");
    }

    @Override
    public String toString() {
        return base.getHostAddress() + "/" + bits;
    }
}
