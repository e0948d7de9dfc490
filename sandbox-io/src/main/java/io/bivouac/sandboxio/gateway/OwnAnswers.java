package io.bivouac.sandboxio.gateway;

import io.bivouac.foundation.access.Projects;
import io.bivouac.foundation.audit.Refusals;
import io.bivouac.foundation.audit.RefusedActor;
import io.bivouac.http.Problem;
import io.bivouac.sandboxio.gateway.Entrance.Admitted;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.json.JsonMapper;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;

/** What the gateway itself answers: refusals, as JSON or as a small page, and the cookie for a link. Thread-safe. */
@Singleton
class OwnAnswers {
    private static final int LONGEST_PATH = 200;
    private static final String PAGE = """
            <!doctype html><html lang="en"><meta charset="utf-8"><title>%1$d %2$s</title>
            <meta name="viewport" content="width=device-width">
            <style>body{font:16px/1.5 system-ui,sans-serif;max-width:36em;margin:15vh auto;padding:0 1em}
            h1{font-size:1.3em}small{color:#767676}</style>
            <h1>%2$s</h1><p>%3$s</p><p><small>Bivouac, error %4$d</small></p></html>
            """;

    private final JsonMapper json;
    private final PreviewLinks links;
    private final Refusals refusals;
    private final Projects projects;
    private final GatewayMetrics metrics;

    OwnAnswers(JsonMapper json, PreviewLinks links, Refusals refusals, Projects projects, GatewayMetrics metrics) {
        this.json = json;
        this.links = links;
        this.refusals = refusals;
        this.projects = projects;
        this.metrics = metrics;
    }

    GatewayMetrics metrics() {
        return metrics;
    }

    FullHttpResponse of(BivouacException refusal, HttpRequest request) {
        var code = refusal.code();
        boolean page = request.headers().get(HttpHeaderNames.ACCEPT, "").contains("text/html");
        var body = page ? page(refusal) : problem(refusal);
        var response = response(HttpResponseStatus.valueOf(code.httpStatus()), body);
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, page ? "text/html; charset=utf-8" : "application/problem+json")
                .set("Content-Security-Policy", "sandbox; default-src 'none'; style-src 'unsafe-inline'");
        if (code == ErrorCode.UNAUTHORIZED) {
            response.headers().set(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer realm=\"bivouac\"");
        }
        if (code == ErrorCode.UNAVAILABLE || code == ErrorCode.PORT_LIMIT_EXCEEDED) {
            response.headers().set(HttpHeaderNames.RETRY_AFTER, "1");
        }
        return response;
    }

    private byte[] problem(BivouacException refusal) {
        try {
            return json.writeValueAsBytes(Problem.of(refusal.code(), refusal.getMessage(), refusal.details()));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private static byte[] page(BivouacException refusal) {
        var code = refusal.code();
        return PAGE.formatted(code.httpStatus(), escaped(code.title()), escaped(refusal.getMessage()), code.number())
                .getBytes(StandardCharsets.UTF_8);
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    private static FullHttpResponse response(HttpResponseStatus status, byte[] body) {
        var response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.wrappedBuffer(body));
        response.headers()
                .setInt(HttpHeaderNames.CONTENT_LENGTH, body.length)
                .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
                .set("X-Content-Type-Options", "nosniff");
        return response;
    }

    /** Sends a browser on, so that the signature is neither in its history nor in what the program sees. */
    FullHttpResponse sendTo(String url) {
        var response = response(HttpResponseStatus.SEE_OTHER, new byte[0]);
        response.headers().set(HttpHeaderNames.LOCATION, url).set("Referrer-Policy", "no-referrer");
        return response;
    }

    /** The same with a cookie in the signature's place, for this port's own address. */
    FullHttpResponse sendTo(String url, Route route, Admitted leave, boolean https) {
        var until = leave.linkUntil();
        boolean alone = route.prefix().isEmpty() && https;
        var cookie = (alone ? Credentials.SECURE_COOKIE : Credentials.COOKIE)
                + "="
                + links.make(PreviewLinks.Kind.COOKIE, route.target(), leave.generation(), until)
                + "; Path=" + (route.prefix().isEmpty() ? "/" : route.prefix())
                + "; Max-Age="
                + Math.max(1, Duration.between(Instant.now(), until).toSeconds())
                + "; HttpOnly; SameSite=Lax" + (https ? "; Secure" : "");
        var response = sendTo(url);
        response.headers().set(HttpHeaderNames.SET_COOKIE, cookie);
        return response;
    }

    /** Has a refusal written down that tells of an attempt. */
    void note(HttpRequest request, BivouacException refusal) {
        metrics.refused();
        var code = refusal.code();
        boolean attempt = switch (code) {
            case UNAUTHORIZED ->
                !Credentials.of(request.headers(), link(request)).none();
            case FORBIDDEN, INVALID_REQUEST -> true;
            default -> false;
        };
        if (!attempt) {
            return;
        }
        var uri = request.uri();
        int query = uri.indexOf('?');
        var path = query < 0 ? uri : uri.substring(0, query);
        refusals.note(
                () -> projects.oldest().id(),
                RefusedActor.nobody(),
                code == ErrorCode.UNAUTHORIZED ? "login.refused" : "request.refused",
                request.method() + " " + path.substring(0, Math.min(LONGEST_PATH, path.length())),
                code + ": " + refusal.getMessage());
    }

    private static String link(HttpRequest request) {
        return request.uri().contains(PreviewLinks.PARAMETER + "=") ? "link" : null;
    }
}
