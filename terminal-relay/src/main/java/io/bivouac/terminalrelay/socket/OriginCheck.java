package io.bivouac.terminalrelay.socket;

import io.bivouac.foundation.access.TrustedOrigins;
import io.bivouac.http.FilterOrder;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Order;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import java.util.Locale;

/**
 * Lets only our own pages, and those on the operator's list, open terminals: a browser sends what it has to log in
 * wherever a page asks it to. Programs send no Origin. It comes before the login, so that no ticket is used up.
 */
@ServerFilter({TerminalPaths.PTY_SOCKET, TerminalPaths.SESSION_SOCKET, TerminalPaths.EXEC_SOCKET})
@Order(FilterOrder.SOCKET_ORIGIN)
class OriginCheck {
    private final TrustedOrigins trusted;

    OriginCheck(TrustedOrigins trusted) {
        this.trusted = trusted;
    }

    @RequestFilter
    void check(HttpRequest<?> request) {
        var origin = request.getHeaders().get("Origin");
        if (origin == null || trusted.include(origin) || isSameHost(origin, request)) {
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
}
