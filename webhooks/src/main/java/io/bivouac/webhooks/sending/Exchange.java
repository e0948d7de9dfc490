package io.bivouac.webhooks.sending;

import io.bivouac.foundation.fault.FaultPoint;
import io.bivouac.webhooks.sending.Answer.Answered;
import io.bivouac.webhooks.sending.Answer.NoAnswer;
import io.micronaut.core.annotation.Nullable;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** One request until its answer, its failure or its timeout, whichever is first. Lives on the connections' loop. */
final class Exchange implements AnswerReader.Listener {
    private final Connections connections;
    private final Message message;
    private final Consumer<Answer> done;
    private Future<?> alarm;
    private boolean over;
    private boolean reused;

    @Nullable private Channel channel;

    Exchange(Connections connections, Message message, Consumer<Answer> done) {
        this.connections = connections;
        this.message = message;
        this.done = done;
    }

    void start() {
        alarm = connections.loop.schedule(this::timeOut, connections.timeout.toMillis(), TimeUnit.MILLISECONDS);
        var idle = connections.takeIdle();
        if (idle == null) {
            dial();
        } else {
            reused = true;
            send(idle);
        }
    }

    private void dial() {
        reused = false;
        connections
                .dialer
                .dial(connections.target, connections.project, connections.loop)
                .whenComplete((dialled, failure) -> connections.loop.execute(() -> {
                    if (failure != null) {
                        finish(NoAnswer.because(failure));
                    } else if (over) {
                        dialled.close();
                    } else {
                        send(dialled);
                    }
                }));
    }

    private void send(Channel to) {
        channel = to;
        to.pipeline().get(AnswerReader.class).expect(this);
        to.writeAndFlush(request()).addListener(written -> {
            if (written.isSuccess()) {
                FaultPoint.MID_POST.pass();
            } else {
                // The reader hears of it too, unless the connection was closed before anything was read.
                to.pipeline().fireExceptionCaught(written.cause());
            }
        });
    }

    private HttpRequest request() {
        var target = connections.target;
        var request = new DefaultFullHttpRequest(
                HttpVersion.HTTP_1_1, HttpMethod.POST, target.path(), Unpooled.wrappedBuffer(message.body()));
        var headers = request.headers();
        headers.set(HttpHeaderNames.HOST, target.hostHeader());
        headers.set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.APPLICATION_JSON);
        headers.set(HttpHeaderNames.CONTENT_LENGTH, message.body().length);
        headers.set(HttpHeaderNames.USER_AGENT, "Bivouac-Webhooks/1");
        message.headers().forEach(headers::set);
        return request;
    }

    @Override
    public void answered(Answered answer, boolean reusable) {
        if (reusable) {
            connections.giveBack(channel);
        }
        finish(answer);
    }

    @Override
    public void broken(Throwable cause, boolean untouched) {
        // The receiver may close an idle connection in the moment in which it is used: that says nothing about it.
        if (reused && untouched && !over) {
            dial();
        } else {
            finish(NoAnswer.because(cause));
        }
    }

    private void timeOut() {
        finish(new NoAnswer("no answer within " + connections.timeout.toMillis() / 1e3 + " s"));
        if (channel != null) {
            channel.close();
        }
    }

    private void finish(Answer answer) {
        if (!over) {
            over = true;
            alarm.cancel(false);
            done.accept(answer);
        }
    }
}
