package io.bivouac.sandboxio.gateway;

import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;

/** The upgrade by which a client gets the port's bytes as they are, whatever protocol they are of: port forwarding. */
final class TcpUpgrade {
    static final String PROTOCOL = "bivouac-tcp";

    private TcpUpgrade() {}

    static boolean isAskedFor(HttpRequest request) {
        return RequestHead.asksForUpgrade(request)
                && PROTOCOL.equalsIgnoreCase(request.headers().get(HttpHeaderNames.UPGRADE));
    }

    static HttpResponse response() {
        var response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.SWITCHING_PROTOCOLS);
        response.headers().set(HttpHeaderNames.CONNECTION, "Upgrade").set(HttpHeaderNames.UPGRADE, PROTOCOL);
        return response;
    }
}
