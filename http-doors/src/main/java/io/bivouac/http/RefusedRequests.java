package io.bivouac.http;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Projects;
import io.bivouac.foundation.audit.Refusals;
import io.bivouac.foundation.audit.RefusedActor;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.http.HttpRequest;
import jakarta.inject.Singleton;

/**
 * Has refusals written down that tell of an attempt: a login that was no good, an act that was not allowed, and
 * whatever is refused to a guest. What nobody logged in for is in the audit of the first project, the operator's.
 */
@Singleton
class RefusedRequests {
    private static final int LONGEST_PATH = 200;
    private static final int FIRST_OF_THE_SERVERS_OWN = 500;

    private final Refusals refusals;
    private final Projects projects;

    RefusedRequests(Refusals refusals, Projects projects) {
        this.refusals = refusals;
        this.projects = projects;
    }

    void note(HttpRequest<?> request, BivouacException refusal) {
        var caller = request.getAttribute(Authentication.CALLER, Caller.class).orElse(null);
        if (refusal.isWrittenDown() || !isAttempt(request, refusal, caller != null && caller.isGuest())) {
            return;
        }
        var action = refusal.code() == ErrorCode.UNAUTHORIZED ? "login.refused" : "request.refused";
        var path = request.getPath();
        refusals.note(
                () -> caller == null ? projects.oldest().id() : caller.project(),
                caller == null ? RefusedActor.nobody() : caller.refusedBy(refusals),
                action,
                request.getMethodName() + " "
                        + (path.length() <= LONGEST_PATH ? path : path.substring(0, LONGEST_PATH)),
                refusal.code() + ": " + refusal.getMessage());
    }

    private static boolean isAttempt(HttpRequest<?> request, BivouacException refusal, boolean guest) {
        return switch (refusal.code()) {
            case UNAUTHORIZED -> hasLogin(request);
            case FORBIDDEN -> true;
            default -> guest && refusal.code().httpStatus() < FIRST_OF_THE_SERVERS_OWN;
        };
    }

    /** Whoever shows nothing has not tried to log in. */
    private static boolean hasLogin(HttpRequest<?> request) {
        var headers = request.getHeaders();
        return headers.contains("Authorization")
                || headers.contains("X-API-Key")
                || Logins.ticketIn(request).isPresent();
    }
}
