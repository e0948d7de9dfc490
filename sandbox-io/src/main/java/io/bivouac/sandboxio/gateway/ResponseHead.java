package io.bivouac.sandboxio.gateway;

import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The head of a response, as the client gets it: pure functions. */
final class ResponseHead {
    /** Each is for one connection (RFC 9110 §7.6.1). */
    private static final List<String> OF_ONE_CONNECTION = List.of(
            "Connection", "Keep-Alive", "Proxy-Connection", "Proxy-Authenticate", "Transfer-Encoding", "Upgrade");

    /** Each would reach beyond the sandbox's own port, at a host that it does not have for itself. */
    private static final List<String> OF_THE_WHOLE_HOST =
            List.of("Strict-Transport-Security", "Clear-Site-Data", "Service-Worker-Allowed", "Alt-Svc");

    private ResponseHead() {}

    /** Where a response goes out. */
    enum Door {
        /** The gateway's own listener. */
        GATEWAY,
        /** The server's main port, where the console's pages are: nothing of the sandbox may run there. */
        MAIN
    }

    static HttpResponse of(HttpResponse response, Route route, Door door, String host) {
        var head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, response.status());
        var headers = head.headers();
        headers.set(response.headers());
        listed(response.headers()).forEach(headers::remove);
        OF_ONE_CONNECTION.forEach(headers::remove);
        headers.remove(HttpHeaderNames.SET_COOKIE);
        if (door == Door.MAIN) {
            headers.set("Content-Security-Policy", "sandbox");
            headers.set("X-Content-Type-Options", "nosniff");
        } else {
            response.headers().getAll(HttpHeaderNames.SET_COOKIE).stream()
                    .filter(cookie -> !Credentials.isOurs(cookie))
                    .forEach(cookie -> headers.add(HttpHeaderNames.SET_COOKIE, ownCookie(cookie, route.prefix())));
        }
        if (!route.prefix().isEmpty()) {
            OF_THE_WHOLE_HOST.forEach(headers::remove);
            var location = headers.get(HttpHeaderNames.LOCATION);
            if (location != null) {
                headers.set(HttpHeaderNames.LOCATION, located(location, route.prefix(), host));
            }
        }
        return head;
    }

    /** Names that the Connection header lists; the ones that say where the response ends stay. */
    private static List<String> listed(HttpHeaders headers) {
        return headers.getAll(HttpHeaderNames.CONNECTION).stream()
                .flatMap(header -> Arrays.stream(header.split(",")))
                .map(name -> name.strip().toLowerCase(Locale.ROOT))
                .filter(name -> !name.isEmpty() && !name.equals("content-length"))
                .toList();
    }

    /** A cookie for the sandbox's own address and no other: without a domain, and with a path below the prefix. */
    static String ownCookie(String cookie, String prefix) {
        var parts = Arrays.stream(cookie.split(";"))
                .map(String::strip)
                .filter(part -> !part.toLowerCase(Locale.ROOT).startsWith("domain"))
                .toList();
        if (prefix.isEmpty()) {
            return String.join("; ", parts);
        }
        var path = parts.stream()
                .filter(part -> part.toLowerCase(Locale.ROOT).startsWith("path="))
                .map(part -> part.substring("path=".length()))
                .filter(text -> text.startsWith("/"))
                .findFirst()
                .orElse("/");
        return parts.stream()
                        .filter(part -> !part.toLowerCase(Locale.ROOT).startsWith("path="))
                        .collect(Collectors.joining("; "))
                + "; Path="
                + (path.startsWith(prefix) ? path : prefix + path);
    }

    /** A program that does not know its prefix sends browsers to the top of the host. */
    static String located(String location, String prefix, String host) {
        var start = "";
        for (var scheme : List.of("http://", "https://")) {
            if (location.startsWith(scheme + host + "/")) {
                start = scheme + host;
            }
        }
        var path = location.substring(start.length());
        boolean ours = path.startsWith("/") && !path.startsWith("//");
        return ours && !path.equals(prefix) && !path.startsWith(prefix + "/") ? start + prefix + path : location;
    }

    /**
     * Says how the body ends, and whether another request may follow. False when only the end of the connection can
     * tell.
     */
    static boolean frame(HttpResponse head, HttpResponse from, boolean bodiless, boolean chunks) {
        if (bodiless || HttpUtil.isContentLengthSet(from)) {
            return true;
        }
        if (chunks) {
            head.headers().set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
        }
        return chunks;
    }
}
