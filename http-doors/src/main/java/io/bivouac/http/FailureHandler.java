package io.bivouac.http;

import io.bivouac.sandboxes.error.BivouacException;
import io.bivouac.sandboxes.error.ErrorCode;
import io.bivouac.sandboxes.runtime.RuntimeFailure;
import io.micronaut.data.connection.exceptions.ConnectionException;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers for what nobody expected: a database that is away is 503, anything else 500 with a logged cause. */
@Singleton
class FailureHandler implements ExceptionHandler<Exception, MutableHttpResponse<Problem>> {
    private static final Logger LOG = LoggerFactory.getLogger(FailureHandler.class);

    /** Connection lost, out of resources, shutting down. */
    private static final Set<String> AWAY = Set.of("08", "53", "57");

    private final RefusalHandler refusals;

    FailureHandler(RefusalHandler refusals) {
        this.refusals = refusals;
    }

    @Override
    public MutableHttpResponse<Problem> handle(HttpRequest request, Exception failure) {
        if (isDatabaseAway(failure)) {
            LOG.warn(
                    "{} {}: the database is not there: {}", request.getMethod(), request.getPath(), failure.toString());
            return refusals.handle(
                    request,
                    new BivouacException(ErrorCode.UNAVAILABLE, "The database is not reachable right now; try again."));
        }
        if (failure instanceof RejectedExecutionException) {
            LOG.warn(
                    "{} {}: {} requests are under way already",
                    request.getMethod(),
                    request.getPath(),
                    RequestThreads.MOST);
            return refusals.handle(
                    request, new BivouacException(ErrorCode.UNAVAILABLE, "The server has too much to do; try again."));
        }
        LOG.error("{} {} failed", request.getMethod(), request.getPath(), failure);
        if (failure instanceof RuntimeFailure) {
            return Problem.response(ErrorCode.INTERNAL_ERROR, "The runtime failed: " + failure.getMessage() + ".");
        }
        return Problem.response(
                ErrorCode.INTERNAL_ERROR, "Something went wrong on our side; the server's log has the cause.");
    }

    private static boolean isDatabaseAway(Throwable failure) {
        for (var cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLTransientConnectionException || cause instanceof ConnectionException) {
                return true;
            }
            if (cause instanceof SQLException sql
                    && sql.getSQLState() != null
                    && sql.getSQLState().length() >= 2
                    && AWAY.contains(sql.getSQLState().substring(0, 2))) {
                return true;
            }
        }
        return false;
    }
}
