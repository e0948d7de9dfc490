package io.bivouac.functions.console;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;

/** Says what our pages may do, the console and the API's own: load their files, talk to their server, nothing else. */
@ServerFilter({"/", "/index.html", "/favicon.svg", "/assets/**", "/docs", "/docs/**", "/login", "/login/**"})
class ConsoleHeaders {
    /** Styles may be inline because the terminal's screen writes its colours that way; scripts may not. */
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
            + "img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
            + "frame-ancestors 'none'";

    @ResponseFilter
    void guard(HttpRequest<?> request, MutableHttpResponse<?> response) {
        response.header("Content-Security-Policy", POLICY)
                .header("X-Content-Type-Options", "nosniff")
                .header("Referrer-Policy", "no-referrer")
                .header("Cross-Origin-Resource-Policy", "same-origin")
                .header("Cross-Origin-Opener-Policy", "same-origin");
        // The names of assets change with their content; the page that names them is asked for each time.
        boolean lasting = request.getPath().startsWith("/assets/") && response.code() == 200;
        response.getHeaders().remove(HttpHeaders.CACHE_CONTROL);
        response.header(HttpHeaders.CACHE_CONTROL, lasting ? "public, max-age=31536000, immutable" : "no-cache");
    }
}
