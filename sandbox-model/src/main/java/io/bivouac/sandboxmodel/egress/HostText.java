package io.bivouac.sandboxmodel.egress;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A host in its one spelling: a DNS name in small letters, or an address. Other ways to write an address (one number,
 * hexadecimal, octal, fewer than four parts) are no host at all: a resolver would take them for that address.
 *
 * @param value without brackets
 * @param isAddress whether it is an address rather than a name
 */
record HostText(String value, boolean isAddress) {
    private static final int LONGEST = 253;
    private static final Pattern LABEL = Pattern.compile("[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?");
    private static final Pattern NUMBER = Pattern.compile("[0-9]+|0x[0-9a-f]*");
    private static final String BYTE = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
    private static final Pattern FOUR_BYTES = Pattern.compile(BYTE + "(\\." + BYTE + "){3}");
    private static final Pattern SIX = Pattern.compile("\\[[0-9a-fA-F:.]*:[0-9a-fA-F:.]*]");

    /** @param text an IPv6 address in brackets */
    static HostText parse(String text) {
        if (SIX.matcher(text).matches()) {
            return new HostText(address(text.substring(1, text.length() - 1), text), true);
        }
        if (FOUR_BYTES.matcher(text).matches()) {
            return new HostText(text, true);
        }
        return new HostText(name(text), false);
    }

    private static String name(String text) {
        var lower = text.toLowerCase(Locale.ROOT);
        var name = lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
        var labels = List.of(name.split("\\.", -1));
        boolean wellFormed = name.length() <= LONGEST
                && labels.stream().allMatch(label -> LABEL.matcher(label).matches())
                && !NUMBER.matcher(labels.getLast()).matches();
        if (!wellFormed) {
            throw notAHost(text);
        }
        return name;
    }

    /** The same for every way to write it; one that stands for an IPv4 address becomes that. */
    private static String address(String six, String text) {
        try {
            return InetAddress.getByName(six).getHostAddress();
        } catch (UnknownHostException malformed) {
            throw notAHost(text);
        }
    }

    private static IllegalArgumentException notAHost(String text) {
        var shown = text.replaceAll("[^\\x21-\\x7e]", "?");
        return new IllegalArgumentException("\"" + (shown.length() <= LONGEST ? shown : shown.substring(0, LONGEST))
                + "\" is not a host; write a name such as example.org (its xn-- form where it is not plain ASCII),"
                + " an address such as 203.0.113.7, or [2001:db8::1]");
    }

    @Override
    public String toString() {
        return value.indexOf(':') < 0 ? value : "[" + value + "]";
    }
}
