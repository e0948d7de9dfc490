package io.bivouac.sandboxmodel.egress;

import java.util.regex.Pattern;

/**
 * One line of an allow-list: {@code api.example.org}, {@code *.example.org:8443}, {@code 203.0.113.7:443}.
 *
 * @param host what the asked-for host must be, or with {@code below} what it must end with
 * @param below whether all names below the host are meant, and the host itself is not
 */
public record EgressRule(String host, boolean below, int port) {
    public static final int USUAL_PORT = 443;

    private static final String WILDCARD = "*.";
    private static final Pattern URL = Pattern.compile("^\\w+://([\\w.*:\\[\\]-]+)");

    /** Fails with an {@link IllegalArgumentException} that says what is wrong. */
    public static EgressRule parse(String text) {
        var host = URL.matcher(text);
        if (host.find()) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is a URL; write the host only, " + host.group(1) + ", without scheme and path");
        }
        if (text.equals("*")) {
            throw new IllegalArgumentException("\"*\" is not a host; write each one, such as example.org"
                    + " or *.example.org, or @public for every public address");
        }
        boolean below = text.startsWith(WILDCARD);
        var target = EgressTarget.parse(below ? text.substring(WILDCARD.length()) : text, USUAL_PORT);
        if (below && (target.isAddress() || target.host().indexOf('.') < 0)) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is too wide; after *. there must be a name with a dot");
        }
        return new EgressRule(target.host(), below, target.port());
    }

    /** The one that allows this target alone. */
    public static EgressRule of(EgressTarget target) {
        return new EgressRule(target.host(), false, target.port());
    }

    boolean allows(EgressTarget target) {
        if (target.port() != port) {
            return false;
        }
        return below
                ? !target.isAddress() && target.host().endsWith("." + host)
                : target.host().equals(host);
    }

    /** As it is shown and stored: always with its port. */
    @Override
    public String toString() {
        return (below ? WILDCARD : "") + (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
}
