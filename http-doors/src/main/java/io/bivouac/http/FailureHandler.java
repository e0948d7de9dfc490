package io.bivouac.http;

import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.sandboxmodel.runtime.HostPaths;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import jakarta.inject.Singleton;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers for what nobody expected: what {@link KnownFailures} knows, else 500 with a logged cause. */
@Singleton
class FailureHandler implements ExceptionHandler<Throwable, MutableHttpResponse<Problem>> {
    private static final Logger LOG = LoggerFactory.getLogger(FailureHandler.class);

    private final RefusalHandler refusals;

    FailureHandler(RefusalHandler refusals) {
        this.refusals = refusals;
    }

    @Override
    public MutableHttpResponse<Problem> handle(HttpRequest request, Throwable failure) {
        var known = KnownFailures.of(failure);
        if (known.isPresent()) {
            LOG.warn("{} {}: {}", request.getMethod(), request.getPath(), failure.toString());
            return refusals.handle(request, known.get());
        }
        LOG.error("{} {} failed", request.getMethod(), request.getPath(), failure);
        if (failure instanceof RuntimeFailure) {
            return Problem.response(
                    ErrorCode.INTERNAL_ERROR, "The runtime failed: " + HostPaths.hiddenIn(failure.getMessage()) + ".");
        }
        return Problem.response(
                ErrorCode.INTERNAL_ERROR, "Something went wrong on our side; the server's log has the cause.");
    }
}
