package io.bivouac.http;

import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Order;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;

/**
 * Refuses compressed bodies. The framework would inflate them before anybody has logged in, and 64 KiB may hold
 * 64 MiB; {@link ServerDefaults} keeps it from doing so.
 */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
@Order(FilterOrder.CONTENT_ENCODING)
class ContentEncodingCheck {
    private static final String NONE = "identity";

    @RequestFilter
    void check(HttpRequest<?> request) {
        var encoding = request.getHeaders().get(HttpHeaders.CONTENT_ENCODING);
        if (encoding != null && !encoding.isBlank() && !encoding.strip().equalsIgnoreCase(NONE)) {
            throw new BivouacException(
                    ErrorCode.UNSUPPORTED_MEDIA_TYPE,
                    "Content-Encoding must be identity or absent: this server does not take compressed bodies.");
        }
    }
}
