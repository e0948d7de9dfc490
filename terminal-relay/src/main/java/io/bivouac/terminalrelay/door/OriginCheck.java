package io.bivouac.terminalrelay.door;

import io.bivouac.sandboxes.error.BivouacException;
import io.bivouac.sandboxes.error.ErrorCode;
import io.micronaut.context.annotation.Value;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Lets only our own pages, and those on the operator's list, open terminals: a browser sends what it has to log in
 * wherever a page asks it to. Programs send no Origin. It comes before the login, so that no ticket is used up.
 */
@ServerFilter({Paths.PTY_SOCKET, Paths.SESSION_SOCKET, Paths.EXEC_SOCKET})
@Order(Ordered.HIGHEST_PRECEDENCE + 250)
class OriginCheck {
    private final Set<String> allowed = new HashSet<>();

    OriginCheck(
            @Value("${bivouac.origins:}") List<String> origins, @Nullable @Value("${bivouac.public-url}") String ours) {
        origins.forEach(origin -> allowed.add(normal(origin)));
        if (ours != null) {
            allowed.add(normal(ours));
        }
        allowed.remove("");
    }

    @RequestFilter
    void check(HttpRequest<?> request) {
        var origin = request.getHeaders().get("Origin");
        if (origin == null || allowed.contains(normal(origin)) || isSameHost(origin, request)) {
            return;
        }
        throw new BivouacException(
                ErrorCode.FORBIDDEN,
                "Pages of this origin may not open terminals; BIVOUAC_ORIGINS lists those that may.");
    }

    private static boolean isSameHost(String origin, HttpRequest<?> request) {
        var host = request.getHeaders().get("Host");
        return host != null && authority(origin).equals(host.toLowerCase(Locale.ROOT));
    }

    private static String authority(String origin) {
        int start = origin.indexOf("://");
        return start < 0 ? "" : origin.substring(start + 3).toLowerCase(Locale.ROOT);
    }

    private static String normal(String origin) {
        var text = origin.strip().toLowerCase(Locale.ROOT);
        try {
            var uri = URI.create(text);
            return uri.getScheme() == null || uri.getAuthority() == null
                    ? text
                    : uri.getScheme() + "://" + uri.getAuthority();
        } catch (IllegalArgumentException notAUri) {
            return text;
        }
    }
}
