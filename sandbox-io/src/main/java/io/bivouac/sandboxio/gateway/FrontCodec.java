package io.bivouac.sandboxio.gateway;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.CombinedChannelDuplexHandler;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

/**
 * HTTP/1.1 as the gateway's listener reads and writes it. Netty's own codec would drop a Content-Length beside
 * {@code Transfer-Encoding: chunked}; here both are left in the head, so that such a request is seen and refused.
 */
final class FrontCodec extends CombinedChannelDuplexHandler<HttpRequestDecoder, HttpResponseEncoder> {
    /** The methods of requests that are not answered yet. */
    private final Queue<HttpMethod> methods = new ArrayDeque<>();

    FrontCodec() {
        init(new Decoder(), new Encoder());
    }

    private final class Decoder extends HttpRequestDecoder {
        private Decoder() {
            super(BackConnections.strict());
        }

        @Override
        protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) throws Exception {
            int before = out.size();
            super.decode(context, in, out);
            for (int i = before; i < out.size(); i++) {
                if (out.get(i) instanceof HttpRequest request) {
                    methods.add(request.method());
                }
            }
        }

        @Override
        protected void handleTransferEncodingChunkedWithContentLength(HttpMessage message) {
            // Both stay, for RequestHead.mustBeUnambiguous to see.
        }
    }

    private final class Encoder extends HttpResponseEncoder {
        @Override
        protected boolean isContentAlwaysEmpty(HttpResponse response) {
            if (response.status().code() < HttpResponseStatus.OK.code()) {
                return super.isContentAlwaysEmpty(response);
            }
            return HttpMethod.HEAD.equals(methods.poll()) || super.isContentAlwaysEmpty(response);
        }
    }
}
