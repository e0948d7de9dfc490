package io.bivouac.http;

import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.context.annotation.Primary;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.server.exceptions.response.Error;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.stream.Collectors;

/** Turns the framework's own errors (malformed JSON, unknown route, too large a body …) into problems. */
@Singleton
@Primary
class FrameworkErrors implements ErrorResponseProcessor<Problem> {
    private final Suggestions suggestions;

    FrameworkErrors(Suggestions suggestions) {
        this.suggestions = suggestions;
    }

    @Override
    public MutableHttpResponse<Problem> processResponse(ErrorContext context, MutableHttpResponse<?> base) {
        var code = codeFor(base.code());
        var request = context.getRequest();
        var detail = code == ErrorCode.NOT_FOUND
                ? nothingThere(request)
                : context.getErrors().stream()
                        .map(error -> sentence(error, request))
                        .collect(Collectors.joining("; "));
        var problem = Problem.of(code, detail.isBlank() ? code.title() : detail, Map.of());
        return base.contentType(Problem.MEDIA_TYPE).status(code.httpStatus()).body(problem);
    }

    private String nothingThere(HttpRequest<?> request) {
        var path = request.getPath();
        var near = suggestions.path(path).map(better -> " Did you mean " + better + "?");
        return "There is no %s %s.%s All routes: /docs/reference"
                .formatted(request.getMethodName(), path, near.orElse(""));
    }

    private String sentence(Error error, HttpRequest<?> request) {
        var said = error.getMessage();
        var field = FrameworkWords.unknownField(said);
        if (field.isPresent()) {
            var near = suggestions.field(field.get(), request).map(better -> " Did you mean \"" + better + "\"?");
            return "Unknown field \"" + field.get() + "\"." + near.orElse("");
        }
        var ours = FrameworkWords.ours(said);
        // The whole body has the name of the operation's parameter.
        return suggestions
                .body(request)
                .map(body -> body.getName() + " must be ")
                .filter(ours::startsWith)
                .map(start -> "The body must be " + ours.substring(start.length()))
                .orElse(ours);
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
