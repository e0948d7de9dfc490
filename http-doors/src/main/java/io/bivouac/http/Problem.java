package io.bivouac.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.serde.annotation.Serdeable;
import java.util.Locale;
import java.util.Map;

/**
 * An error as clients see it (RFC 9457), made from a row of the error table.
 *
 * @param code the row's number, which clients switch on
 */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Problem(
        String type,
        String title,
        int status,
        int code,
        String name,
        String detail,
        @Nullable Map<String, Object> details) {
    static final MediaType MEDIA_TYPE = new MediaType("application/problem+json");

    public static Problem of(ErrorCode code, String detail, Map<String, Object> details) {
        return new Problem(
                "urn:bivouac:error:" + code.name().toLowerCase(Locale.ROOT).replace('_', '-'),
                code.title(),
                code.httpStatus(),
                code.number(),
                code.name(),
                detail,
                details.isEmpty() ? null : details);
    }

    static MutableHttpResponse<Problem> response(ErrorCode code, String detail) {
        return response(code, detail, Map.of());
    }

    static MutableHttpResponse<Problem> response(ErrorCode code, String detail, Map<String, Object> details) {
        return HttpResponse.<Problem>status(HttpStatus.valueOf(code.httpStatus()))
                .contentType(MEDIA_TYPE)
                .body(of(code, detail, details));
    }
}
