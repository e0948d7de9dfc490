package io.bivouac.sandboxio.gateway;

import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The head of a request, as the program in the sandbox gets it: pure functions. */
final class RequestHead {
    private static final String TICKET = "bivouac.ticket.";

    /** Each is for one connection (RFC 9110 §7.6.1), says where a request came from, or is ours. */
    private static final List<String> DROPPED = List.of(
            "Connection",
            "Keep-Alive",
            "Proxy-Connection",
            "Proxy-Authorization",
            "TE",
            "Trailer",
            "Transfer-Encoding",
            "Upgrade",
            "HTTP2-Settings",
            "Forwarded",
            "X-Real-IP",
            "X-Forwarded-For",
            "X-Forwarded-Host",
            "X-Forwarded-Port",
            "X-Forwarded-Proto",
            "X-Forwarded-Prefix",
            "X-Bivouac-Console",
            Credentials.ACCESS_TOKEN,
            Credentials.API_KEY,
            "Cookie",
            "Sec-WebSocket-Protocol");

    private RequestHead() {}

    /** How the request came. */
    record Origin(String client, String scheme, boolean cookies) {}

    /** Refuses a request whose end two readers could see at different places (RFC 9112 §6.3). */
    static void mustBeUnambiguous(HttpRequest request) {
        var headers = request.headers();
        var encodings = headers.getAll(HttpHeaderNames.TRANSFER_ENCODING);
        if (encodings.size() > 1
                || (encodings.size() == 1
                        && (!encodings.getFirst().strip().equalsIgnoreCase("chunked")
                                || request.protocolVersion().equals(HttpVersion.HTTP_1_0)
                                || headers.contains(HttpHeaderNames.CONTENT_LENGTH)))) {
            throw wrong(
                    "The request's length is ambiguous: send either Content-Length or 'Transfer-Encoding: chunked'");
        }
        if (headers.getAll(HttpHeaderNames.CONTENT_LENGTH).size() > 1) {
            throw wrong("The request has more than one Content-Length");
        }
        if (headers.getAll(HttpHeaderNames.HOST).size() != 1) {
            throw wrong("The request must have one Host header");
        }
        for (var name : List.of(Credentials.ACCESS_TOKEN, Credentials.API_KEY, Credentials.AUTHORIZATION)) {
            if (headers.getAll(name).size() > 1) {
                throw wrong("The request has more than one " + name + " header");
            }
        }
    }

    /** Whether the client asks to leave HTTP, for which protocol. */
    static boolean asksForUpgrade(HttpRequest request) {
        return request.headers().contains(HttpHeaderNames.UPGRADE)
                && request.headers().containsValue(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE, true)
                && !HttpUtil.isTransferEncodingChunked(request)
                && HttpUtil.getContentLength(request, 0L) == 0;
    }

    static HttpRequest of(HttpRequest request, Route route, boolean ownAuthorization, Origin origin) {
        var head = new DefaultHttpRequest(HttpVersion.HTTP_1_1, request.method(), route.path());
        var headers = head.headers();
        headers.set(request.headers());
        listed(request.headers()).forEach(headers::remove);
        DROPPED.forEach(headers::remove);
        if (!ownAuthorization || Credentials.isOurKey(headers.get(Credentials.AUTHORIZATION, ""))) {
            headers.remove(Credentials.AUTHORIZATION);
        }
        var cookies = origin.cookies() ? Credentials.othersCookies(request.headers()) : null;
        if (cookies != null) {
            headers.set(HttpHeaderNames.COOKIE, cookies);
        }
        if (HttpUtil.isTransferEncodingChunked(request)) {
            headers.set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
        }
        if (asksForUpgrade(request)) {
            headers.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE);
            headers.set(HttpHeaderNames.UPGRADE, request.headers().get(HttpHeaderNames.UPGRADE));
            protocols(request.headers()).forEach(protocol -> headers.add("Sec-WebSocket-Protocol", protocol));
        }
        forwarded(headers, route, origin);
        return head;
    }

    /** Names that the Connection header lists; those that say where the request ends or goes are not its to take away. */
    private static List<String> listed(HttpHeaders headers) {
        return headers.getAll(HttpHeaderNames.CONNECTION).stream()
                .flatMap(header -> Arrays.stream(header.split(",")))
                .map(name -> name.strip().toLowerCase(Locale.ROOT))
                .filter(name -> !name.isEmpty() && !name.equals("host") && !name.equals("content-length"))
                .toList();
    }

    private static List<String> protocols(HttpHeaders headers) {
        var offered = headers.getAll("Sec-WebSocket-Protocol").stream()
                .flatMap(header -> Arrays.stream(header.split(",")))
                .map(String::strip)
                .filter(protocol -> !protocol.isEmpty() && !protocol.startsWith(TICKET))
                .collect(Collectors.joining(", "));
        return offered.isEmpty() ? List.of() : List.of(offered);
    }

    private static void forwarded(HttpHeaders headers, Route route, Origin origin) {
        var host = headers.get(HttpHeaderNames.HOST);
        headers.set("X-Forwarded-For", origin.client());
        headers.set("X-Forwarded-Host", host);
        headers.set("X-Forwarded-Proto", origin.scheme());
        if (!route.prefix().isEmpty()) {
            headers.set("X-Forwarded-Prefix", route.prefix());
        }
    }

    private static BivouacException wrong(String detail) {
        return new BivouacException(ErrorCode.INVALID_REQUEST, detail + ".");
    }
}
