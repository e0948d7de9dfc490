package io.bivouac.webhooks.sending;

import io.bivouac.webhooks.sending.Answer.Answered;
import io.micronaut.core.annotation.Nullable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** Reads answers on one connection, one after the other, each up to a bound. Lives on the connection's loop. */
final class AnswerReader extends SimpleChannelInboundHandler<HttpObject> {
    static final int KEPT_BYTES = 16 << 10;
    private static final int FIRST_FINAL_STATUS = 200;

    /** All but tabs and the ends of lines. */
    private static final Pattern CONTROL = Pattern.compile("[\\p{Cc}&&[^\t\r\n]]");

    /** Hears of what becomes of its request; exactly one of the calls, once. */
    interface Listener {
        void answered(Answered answer, boolean reusable);

        /** @param untouched whether not a byte of an answer had come */
        void broken(Throwable cause, boolean untouched);
    }

    @Nullable private Listener listener;

    @Nullable private HttpResponse head;

    private ByteArrayOutputStream body;

    void expect(Listener next) {
        listener = next;
        head = null;
        body = new ByteArrayOutputStream();
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, HttpObject part) {
        if (listener == null) {
            // An answer to no question.
            context.close();
            return;
        }
        if (part.decoderResult().isFailure()) {
            breakOff(context, part.decoderResult().cause());
            return;
        }
        if (part instanceof HttpResponse response) {
            head = response;
        }
        if (part instanceof HttpContent content && head.status().code() >= FIRST_FINAL_STATUS) {
            take(context, content);
        }
    }

    private void take(ChannelHandlerContext context, HttpContent content) {
        int room = KEPT_BYTES - body.size();
        int length = Math.min(room, content.content().readableBytes());
        try {
            content.content().readBytes(body, length);
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
        boolean more = content.content().isReadable();
        if (more || content instanceof LastHttpContent) {
            boolean reusable = !more && HttpUtil.isKeepAlive(head);
            finish(context, reusable);
        }
    }

    private void finish(ChannelHandlerContext context, boolean reusable) {
        var done = listener;
        var answer = new Answered(
                head.status().code(), shown(body.toString(StandardCharsets.UTF_8)), RetryAfter.in(head.headers()));
        listener = null;
        if (!reusable) {
            context.close();
        }
        done.answered(answer, reusable);
    }

    /** Control characters have six bytes in JSON, and PostgreSQL has no place for the first of them. */
    static String shown(String text) {
        return CONTROL.matcher(text).replaceAll("\uFFFD");
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        breakOff(context, new IOException("the connection was closed before the answer"));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        breakOff(context, cause);
    }

    private void breakOff(ChannelHandlerContext context, Throwable cause) {
        var waiting = listener;
        listener = null;
        context.close();
        if (waiting != null) {
            waiting.broken(cause, head == null);
        }
    }
}
