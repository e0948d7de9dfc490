package io.bivouac.http;

import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.context.annotation.Primary;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.server.exceptions.response.Error;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;
import jakarta.inject.Singleton;
import java.util.stream.Collectors;

/** Turns the framework's own errors (malformed JSON, unknown route, too large a body …) into problems. */
@Singleton
@Primary
class FrameworkErrors implements ErrorResponseProcessor<Problem> {
    @Override
    public MutableHttpResponse<Problem> processResponse(ErrorContext context, MutableHttpResponse<?> base) {
        var code = codeFor(base.code());
        var detail = context.getErrors().stream().map(FrameworkErrors::sentence).collect(Collectors.joining("; "));
        var problem = Problem.of(code, detail.isBlank() ? code.title() : detail, java.util.Map.of());
        return base.contentType(Problem.MEDIA_TYPE).status(code.httpStatus()).body(problem);
    }

    private static String sentence(Error error) {
        return FrameworkWords.ours(error.getMessage());
    }

    private static ErrorCode codeFor(int status) {
        return switch (status) {
            case 401 -> ErrorCode.UNAUTHORIZED;
            case 403 -> ErrorCode.FORBIDDEN;
            case 404 -> ErrorCode.NOT_FOUND;
            case 405 -> ErrorCode.METHOD_NOT_ALLOWED;
            case 406 -> ErrorCode.NOT_ACCEPTABLE;
            case 409 -> ErrorCode.CONFLICT;
            case 413 -> ErrorCode.TOO_LARGE;
            case 415 -> ErrorCode.UNSUPPORTED_MEDIA_TYPE;
            case 429 -> ErrorCode.RATE_LIMITED;
            case 503 -> ErrorCode.UNAVAILABLE;
            default -> status < 500 ? ErrorCode.INVALID_REQUEST : ErrorCode.INTERNAL_ERROR;
        };
    }
}
