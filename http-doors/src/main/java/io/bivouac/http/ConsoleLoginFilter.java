package io.bivouac.http;

import io.bivouac.foundation.access.ConsoleLogins;
import io.bivouac.foundation.access.ConsoleLogins.ConsoleLogin;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Order;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Takes the console's cookie for a login where no key was sent. A browser sends cookies wherever a page asks it to,
 * so beside {@code SameSite} a request must come from our own origin, and one that changes something must carry a
 * header that a page elsewhere cannot set.
 */
@ServerFilter({"/api/**", "/-/**"})
@Order(FilterOrder.CONSOLE_LOGIN)
public class ConsoleLoginFilter {
    public static final String COOKIE = "bivouac_session";

    /** By HTTPS: the prefix keeps other hosts and plain HTTP from setting it. */
    public static final String SECURE_COOKIE = "__Host-" + COOKIE;

    public static final String HEADER = "X-Bivouac-Console";
    private static final String LOGIN = "bivouac.session";
    private static final String SAME_ORIGIN = "same-origin";

    /** A page of ours, or an address that a person typed; browsers say so, and pages cannot change it. */
    private static final Set<String> OWN_SITES = Set.of(SAME_ORIGIN, "none");

    private static final Set<HttpMethod> LOOKING = Set.of(HttpMethod.GET, HttpMethod.HEAD);

    private final ConsoleLogins logins;

    ConsoleLoginFilter(ConsoleLogins logins) {
        this.logins = logins;
    }

    /** The console login that the request came with, if any. */
    public static Optional<ConsoleLogin> of(HttpRequest<?> request) {
        return request.getAttribute(LOGIN, ConsoleLogin.class);
    }

    @RequestFilter
    @ExecuteOn(TaskExecutors.BLOCKING)
    void login(HttpRequest<?> request) {
        var cookie = request.getCookies()
                .findCookie(SECURE_COOKIE)
                .or(() -> request.getCookies().findCookie(COOKIE));
        if (cookie.isEmpty() || hasKey(request)) {
            return;
        }
        var login = logins.check(cookie.get().getValue());
        if (login.isEmpty()) {
            return;
        }
        if (!isFromOurPage(request)) {
            throw new BivouacException(ErrorCode.FORBIDDEN, "A page elsewhere may not use the console's login.");
        }
        request.setAttribute(LOGIN, login.get());
        request.setAttribute(Authentication.CALLER, login.get().caller());
    }

    private static boolean hasKey(HttpRequest<?> request) {
        return request.getHeaders().contains("Authorization")
                || request.getHeaders().contains("X-API-Key");
    }

    private static boolean isFromOurPage(HttpRequest<?> request) {
        var headers = request.getHeaders();
        // A page at another port of the same host is same-site, and yet not ours.
        if (!OWN_SITES.contains(headers.get("Sec-Fetch-Site", String.class, SAME_ORIGIN))) {
            return false;
        }
        var origin = headers.get("Origin");
        var host = headers.get("Host");
        if (origin != null && !authority(origin).equals(host == null ? "" : host.toLowerCase(Locale.ROOT))) {
            return false;
        }
        return LOOKING.contains(request.getMethod()) || headers.contains(HEADER);
    }

    private static String authority(String origin) {
        int start = origin.indexOf("://");
        return start < 0 ? origin : origin.substring(start + 3).toLowerCase(Locale.ROOT);
    }
}
