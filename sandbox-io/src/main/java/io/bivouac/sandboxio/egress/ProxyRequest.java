package io.bivouac.sandboxio.egress;

import io.bivouac.sandboxmodel.egress.EgressTarget;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a program asks of the proxy. Read strictly (RFC 9112): whatever two readers could understand in two ways is
 * refused.
 *
 * @param tunnel whether it is a CONNECT, after which the bytes are the program's own
 * @param head for a plain request, what the server is told: the same in origin form, without what was meant for the
 *     proxy, and for one exchange only; empty for a tunnel
 * @param program as it calls itself, to be shown to people; empty when it does not
 */
record ProxyRequest(boolean tunnel, EgressTarget target, String head, String program) {
    private static final Pattern REQUEST_LINE = Pattern.compile("([A-Z]{1,20}) ([\\x21-\\x7e]+) (HTTP/1\\.[01])");
    private static final Pattern HEADER =
            Pattern.compile("([!#$%&'*+.^_`|~0-9A-Za-z-]+):([\\t\\x20-\\x7e\\x80-\\xff]*)");
    private static final Pattern ABSOLUTE = Pattern.compile("(?i)http://([^/?#]+)([^#]*)");
    private static final Pattern PRODUCT = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,32}(/[0-9A-Za-z.-]{1,16})?");
    private static final int HTTP_PORT = 80;

    /** Meant for the next hop alone, beside those that Connection names. */
    private static final Set<String> HOP = Set.of(
            "connection",
            "host",
            "keep-alive",
            "proxy-authenticate",
            "proxy-authorization",
            "proxy-connection",
            "te",
            "upgrade");

    private record Header(String name, String value) {
        boolean is(String other) {
            return name.equalsIgnoreCase(other);
        }
    }

    static ProxyRequest parse(String head) throws EgressFailed {
        var lines =
                List.of(head.substring(0, head.length() - "\r\n\r\n".length()).split("\r\n", -1));
        var line = REQUEST_LINE.matcher(lines.getFirst());
        if (!line.matches()) {
            throw malformed("The request line is not one of HTTP/1.1");
        }
        var headers = headers(lines.subList(1, lines.size()));
        if (line.group(1).equals("CONNECT")) {
            return new ProxyRequest(true, target(line.group(2), null), "", program(headers));
        }
        var url = ABSOLUTE.matcher(line.group(2));
        if (!url.matches()) {
            throw malformed(
                    line.group(2).toLowerCase(Locale.ROOT).startsWith("https:")
                            ? "A proxy is asked for https by CONNECT"
                            : "This is a proxy; it is asked by CONNECT host:port or with a whole http:// address");
        }
        var target = target(url.group(1), HTTP_PORT);
        var path = url.group(2).startsWith("/") ? url.group(2) : "/" + url.group(2);
        return new ProxyRequest(
                false,
                target,
                line.group(1) + " " + path + " " + line.group(3) + "\r\n" + forServer(headers, target),
                program(headers));
    }

    /** The first product of its User-Agent (RFC 9110, section 10.1.5). */
    private static String program(List<Header> headers) {
        return headers.stream()
                .filter(header -> header.is("user-agent"))
                .map(header -> PRODUCT.matcher(header.value()))
                .filter(Matcher::lookingAt)
                .map(Matcher::group)
                .findFirst()
                .orElse("");
    }

    private static EgressTarget target(String authority, Integer usualPort) throws EgressFailed {
        try {
            return usualPort == null ? EgressTarget.parse(authority) : EgressTarget.parse(authority, usualPort);
        } catch (IllegalArgumentException wrong) {
            throw malformed("This names no host and port: " + wrong.getMessage());
        }
    }

    private static List<Header> headers(List<String> lines) throws EgressFailed {
        var headers = new ArrayList<Header>();
        for (var line : lines) {
            var header = HEADER.matcher(line);
            if (!header.matches()) {
                throw malformed("A header line of the request is not well-formed");
            }
            headers.add(new Header(header.group(1), header.group(2).strip()));
        }
        long lengths =
                headers.stream().filter(header -> header.is("content-length")).count();
        boolean chunked = headers.stream().anyMatch(header -> header.is("transfer-encoding"));
        if (lengths > 1 || (lengths == 1 && chunked)) {
            throw malformed("The request gives its length in more than one way");
        }
        return headers;
    }

    private static String forServer(List<Header> headers, EgressTarget target) {
        var dropped = new HashSet<>(HOP);
        headers.stream()
                .filter(header -> header.is("connection"))
                .flatMap(header -> List.of(header.value().split(",")).stream())
                .map(name -> name.strip().toLowerCase(Locale.ROOT))
                // Without these the server would read the body otherwise than it was sent.
                .filter(name -> !name.equals("content-length") && !name.equals("transfer-encoding"))
                .forEach(dropped::add);
        var kept = new StringBuilder("Host: ").append(hostHeader(target)).append("\r\n");
        for (var header : headers) {
            if (!dropped.contains(header.name().toLowerCase(Locale.ROOT))) {
                kept.append(header.name()).append(": ").append(header.value()).append("\r\n");
            }
        }
        return kept.append("Connection: close\r\n\r\n").toString();
    }

    private static String hostHeader(EgressTarget target) {
        var whole = target.toString();
        return target.port() == HTTP_PORT ? whole.substring(0, whole.lastIndexOf(':')) : whole;
    }

    private static EgressFailed malformed(String why) {
        return new EgressFailed(EgressResult.MALFORMED, why);
    }
}
