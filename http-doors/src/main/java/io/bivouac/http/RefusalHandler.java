package io.bivouac.http;

import io.bivouac.foundation.access.BoundTokens;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import jakarta.inject.Singleton;
import java.util.EnumSet;
import java.util.Set;

/** Answers with the refusal that a function threw. */
@Singleton
class RefusalHandler implements ExceptionHandler<BivouacException, MutableHttpResponse<Problem>> {
    /** Refusals that the next moment may bring to an end, without the caller's doing. */
    private static final Set<ErrorCode> PASSING = EnumSet.of(
            ErrorCode.UNAVAILABLE,
            ErrorCode.RATE_LIMITED,
            ErrorCode.SHARE_LIMIT_EXCEEDED,
            ErrorCode.INSUFFICIENT_STORAGE,
            ErrorCode.PTY_LIMIT_EXCEEDED,
            ErrorCode.RESOURCE_LIMIT);

    private final RefusedRequests refused;

    RefusalHandler(RefusedRequests refused) {
        this.refused = refused;
    }

    @Override
    public MutableHttpResponse<Problem> handle(HttpRequest request, BivouacException refusal) {
        refused.note(request, refusal);
        var response = Problem.response(refusal.code(), refusal.getMessage(), refusal.details());
        if (refusal.code() == ErrorCode.UNAUTHORIZED) {
            response.header(HttpHeaders.WWW_AUTHENTICATE, "Bearer realm=\"bivouac\"");
            if (BoundLogin.isIn(request)) {
                response.header(HttpHeaders.WWW_AUTHENTICATE, challenge(refusal));
            }
        }
        if (PASSING.contains(refusal.code())) {
            response.header(HttpHeaders.RETRY_AFTER, "1");
        }
        return response;
    }

    /** RFC 9449 §7.1. */
    private static String challenge(BivouacException refusal) {
        var error = refusal.details().get(BoundTokens.ERROR);
        return "DPoP " + (error == null ? "" : "error=\"" + error + "\", ") + "algs=\"" + BoundTokens.ALGORITHMS + "\"";
    }
}
