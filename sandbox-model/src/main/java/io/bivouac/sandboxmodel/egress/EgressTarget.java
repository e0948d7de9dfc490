package io.bivouac.sandboxmodel.egress;

/**
 * Where a program wants to connect to.
 *
 * @param host a name in small letters, or an address without brackets
 * @param isAddress whether it is an address rather than a name
 */
public record EgressTarget(String host, boolean isAddress, int port) {
    private static final int LARGEST_PORT = 65_535;

    /** From {@code host:port}; anything else is an {@link IllegalArgumentException} with the reason. */
    public static EgressTarget parse(String authority) {
        int colon = authority.lastIndexOf(':');
        if (colon < 0 || authority.endsWith("]")) {
            throw new IllegalArgumentException("the port is missing");
        }
        return of(authority.substring(0, colon), port(authority.substring(colon + 1)));
    }

    /** From {@code host} or {@code host:port}. */
    public static EgressTarget parse(String authority, int usualPort) {
        boolean plain = authority.indexOf(':') < 0 || authority.endsWith("]");
        return plain ? of(authority, usualPort) : parse(authority);
    }

    private static EgressTarget of(String text, int port) {
        var host = HostText.parse(text);
        return new EgressTarget(host.value(), host.isAddress(), port);
    }

    static int port(String text) {
        // No sign, no space, no leading zero: what is allowed and what is dialled must be read alike.
        if (text.matches("[1-9][0-9]{0,4}") && Integer.parseInt(text) <= LARGEST_PORT) {
            return Integer.parseInt(text);
        }
        throw new IllegalArgumentException("the port must be a number from 1 to " + LARGEST_PORT);
    }

    @Override
    public String toString() {
        return new HostText(host, isAddress) + ":" + port;
    }
}
