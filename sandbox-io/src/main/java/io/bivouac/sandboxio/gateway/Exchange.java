package io.bivouac.sandboxio.gateway;

import io.bivouac.http.KnownFailures;
import io.bivouac.sandboxio.gateway.Entrance.Admitted;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request and its response, between a client and a program in a sandbox. Neither side is read faster than the
 * other takes. Confined to the event loop of the client's connection.
 */
final class Exchange {
    private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);

    /** A refused request's body is read up to here, so that its client hears why; then the connection is closed. */
    private static final int LARGEST_DISCARDED = 1 << 20;

    /** Requests that may be sent once more when an idle connection turns out to be closed. */
    private static final Set<HttpMethod> REPEATABLE = Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS);

    private final Gateway gateway;
    private final FrontHandler front;
    private final HttpRequest request;
    private final Queue<HttpContent> body = new ArrayDeque<>();
    private Route route;
    private Admitted admitted;
    private @Nullable CarriedChannel back;
    private boolean requestComplete;
    private boolean bodySent;
    private boolean reused;
    private boolean informational;
    private boolean responding;
    private boolean over;
    private int discarded;
    private boolean keepFront;
    private boolean keepBack;

    Exchange(Gateway gateway, FrontHandler front, HttpRequest request) {
        this.gateway = gateway;
        this.front = front;
        this.request = request;
    }

    boolean isRequestComplete() {
        return requestComplete;
    }

    void start() {
        try {
            if (request.decoderResult().isFailure()) {
                throw new BivouacException(
                        ErrorCode.INVALID_REQUEST,
                        "The request is not valid HTTP/1.1: "
                                + request.decoderResult().cause().getMessage() + ".");
            }
            RequestHead.mustBeUnambiguous(request);
            var name = gateway.addresses().nameIn(request, front.door());
            if (name.isPresent()) {
                var shown = Credentials.of(request.headers(), null);
                ask(() -> gateway.entrance().named(shown, name.get()), this::find);
            } else {
                find(null);
            }
        } catch (BivouacException refusal) {
            refuse(refusal);
        }
    }

    /** @param named the sandbox that the path calls by a name; null when it has a whole id */
    private void find(@Nullable SandboxId named) {
        try {
            var addressed = gateway.addresses().route(request, front.door(), named);
            route = addressed.route();
            var shown = Credentials.of(request.headers(), addressed.link());
            gateway.mustFit(front.door(), shown);
            var remembered = gateway.entrance().remembered(shown, route.target());
            if (remembered.isPresent()) {
                admit(remembered.get());
            } else {
                ask(() -> gateway.entrance().find(shown, route.target()), this::admit);
            }
        } catch (BivouacException refusal) {
            refuse(refusal);
        }
    }

    /** The database may have to be asked, which no event loop waits for. */
    private <T> void ask(Supplier<T> question, Consumer<T> then) {
        try {
            gateway.threads().execute(() -> {
                try {
                    var found = question.get();
                    front.loop().execute(() -> then.accept(found));
                } catch (RuntimeException failed) {
                    front.loop().execute(() -> refuse(known(failed)));
                }
            });
        } catch (RejectedExecutionException full) {
            refuse(known(full));
        }
    }

    private static BivouacException known(Throwable failed) {
        return KnownFailures.of(failed).orElseGet(() -> {
            LOG.error("A request to a port failed", failed);
            return new BivouacException(
                    ErrorCode.INTERNAL_ERROR, "Something went wrong on our side; the server's log has the cause.");
        });
    }

    private void admit(Admitted leave) {
        if (over) {
            return;
        }
        admitted = leave;
        front.prove();
        if (leave.linkUntil() != null) {
            answer(gateway.exchanged(request, route, leave, front.scheme()));
            return;
        }
        gateway.passed(route.target().sandbox());
        if (TcpUpgrade.isAskedFor(request)) {
            open(false);
            return;
        }
        var idle = gateway.connections().idle(route.target());
        if (idle != null) {
            reused = true;
            use(idle);
        } else {
            open(true);
        }
    }

    private void open(boolean http) {
        gateway.connections().open(route.target(), front.loop(), http).whenComplete((made, failed) -> {
            if (failed != null) {
                refuse(known(failed));
            } else if (over) {
                made.close();
            } else if (http) {
                made.pipeline().addLast(new BackHandler());
                use(made);
            } else {
                over = true;
                front.upgrade(TcpUpgrade.response(), made);
            }
        });
    }

    private void use(CarriedChannel connection) {
        back = connection;
        BackHandler.of(connection).serve(this);
        back.write(RequestHead.of(request, route, admitted.ownAuthorization(), front.origin()));
        for (var part = body.poll(); part != null; part = body.poll()) {
            back.write(part);
        }
        back.flush();
        back.read();
        readOn();
    }

    // ---- the client's side ------------------------------------------------------------------------------

    /** The next part of the request's body. */
    void requestPart(HttpContent part) {
        if (part instanceof LastHttpContent) {
            requestComplete = true;
        }
        if (over) {
            discard(part);
            return;
        }
        if (part.decoderResult().isFailure()) {
            part.release();
            abandon();
            front.cut();
            return;
        }
        bodySent |= part.content().isReadable();
        if (back == null) {
            body.add(part);
        } else {
            back.writeAndFlush(part);
        }
    }

    /** What a client still sends after its refusal. */
    private void discard(HttpContent part) {
        discarded += part.content().readableBytes();
        part.release();
        if (requestComplete) {
            front.done(keepFront);
        } else if (discarded > LARGEST_DISCARDED) {
            front.close();
        }
    }

    void requestRead() {
        if (over || back != null) {
            readOn();
        }
    }

    private void readOn() {
        if (requestComplete) {
            front.watch();
        } else if (over || back.isWritable()) {
            front.read();
        }
    }

    void frontWritable() {
        if (back != null && !over) {
            back.read();
        }
    }

    /** The client is gone. */
    void abandon() {
        over = true;
        body.forEach(ReferenceCountUtil::release);
        body.clear();
        if (back != null) {
            back.close();
        }
    }

    // ---- the program's side -----------------------------------------------------------------------------

    void backWritable() {
        if (!over && !requestComplete) {
            front.read();
        }
    }

    void responsePart(Object part) {
        if (over) {
            ReferenceCountUtil.release(part);
            return;
        }
        if (part instanceof HttpResponse head) {
            responseHead(head);
        }
        if (part instanceof HttpContent content && !over) {
            responseContent(content);
        }
    }

    private void responseHead(HttpResponse head) {
        if (head.decoderResult().isFailure()) {
            broken("its answer is not HTTP/1.1");
            return;
        }
        int code = head.status().code();
        if (code == HttpResponseStatus.SWITCHING_PROTOCOLS.code()) {
            switchProtocols(head);
            return;
        }
        var host = request.headers().get(HttpHeaderNames.HOST);
        var out = ResponseHead.of(head, route, front.door(), host);
        if (code < HttpResponseStatus.OK.code()) {
            informational = true;
            if (!isOld()) {
                front.inform(out);
            }
            return;
        }
        responding = true;
        boolean bodiless = request.method().equals(HttpMethod.HEAD)
                || code == HttpResponseStatus.NO_CONTENT.code()
                || code == HttpResponseStatus.NOT_MODIFIED.code();
        boolean framed = ResponseHead.frame(out, head, bodiless, !isOld());
        keepBack = HttpUtil.isKeepAlive(head)
                && (bodiless || HttpUtil.isContentLengthSet(head) || HttpUtil.isTransferEncodingChunked(head));
        keepFront = HttpUtil.isKeepAlive(request) && framed && requestComplete;
        if (!keepFront) {
            out.headers().set(HttpHeaderNames.CONNECTION, "close");
        } else if (isOld()) {
            out.headers().set(HttpHeaderNames.CONNECTION, "keep-alive");
        }
        front.write(out);
    }

    private boolean isOld() {
        return request.protocolVersion().equals(HttpVersion.HTTP_1_0);
    }

    private void responseContent(HttpContent content) {
        boolean last = content instanceof LastHttpContent;
        if (informational) {
            informational = !last;
            content.release();
            return;
        }
        if (!responding || content.decoderResult().isFailure()) {
            content.release();
            broken("its answer is not HTTP/1.1");
            return;
        }
        front.write(content);
        if (last) {
            finish();
        }
    }

    private void finish() {
        over = true;
        front.flush();
        BackHandler.of(back).serve(null);
        if (keepBack && requestComplete) {
            gateway.connections().release(back);
        } else {
            back.close();
        }
        front.done(keepFront && requestComplete);
    }

    /** The program agrees to leave HTTP: from here on its bytes and the client's are passed on as they are. */
    private void switchProtocols(HttpResponse head) {
        if (!RequestHead.asksForUpgrade(request) || !requestComplete) {
            broken("it leaves HTTP although nobody asked");
            return;
        }
        over = true;
        var out = ResponseHead.of(head, route, front.door(), request.headers().get(HttpHeaderNames.HOST));
        out.headers().set(HttpHeaderNames.CONNECTION, "Upgrade");
        out.headers().set(HttpHeaderNames.UPGRADE, head.headers().get(HttpHeaderNames.UPGRADE, ""));
        front.upgrade(out, back);
        // Last: the first bytes of the new protocol may have come with this head.
        back.pipeline().remove(BackConnections.CODEC);
    }

    /** All that has come of the response so far is passed on. */
    void responseRead() {
        if (!over) {
            gateway.moved(route.target().sandbox());
            front.flush();
            if (front.isWritable()) {
                back.read();
            }
        }
    }

    /** The program's side is over before its answer was. */
    void broken(String why) {
        if (over) {
            return;
        }
        if (responding) {
            abandon();
            front.cut();
            return;
        }
        back.close();
        if (reused && requestComplete && !bodySent && REPEATABLE.contains(request.method())) {
            // Its server closed it just when it was needed again.
            reused = false;
            back = null;
            body.add(LastHttpContent.EMPTY_LAST_CONTENT);
            open(true);
            return;
        }
        refuse(new BivouacException(
                ErrorCode.PORT_UNREACHABLE,
                "The program on port " + route.target().port() + " of sandbox "
                        + route.target().sandbox() + " did not answer: " + why + "."));
    }

    private void refuse(BivouacException refusal) {
        if (over) {
            return;
        }
        gateway.refused(request, refusal);
        answer(gateway.answers().of(refusal, request));
    }

    /** Our own answer in place of the program's. */
    private void answer(FullHttpResponse response) {
        over = true;
        body.forEach(ReferenceCountUtil::release);
        body.clear();
        boolean readable = !request.decoderResult().isFailure();
        keepFront = readable && HttpUtil.isKeepAlive(request) && !hasBody();
        response.headers().set(HttpHeaderNames.CONNECTION, keepFront ? "keep-alive" : "close");
        front.write(response);
        front.flush();
        if (requestComplete || !readable || HttpUtil.is100ContinueExpected(request)) {
            front.done(keepFront);
        } else {
            front.read();
        }
    }

    private boolean hasBody() {
        return HttpUtil.isTransferEncodingChunked(request) || HttpUtil.getContentLength(request, 0L) > 0;
    }
}
