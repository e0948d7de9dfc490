package io.bivouac.sandboxio.gateway;

import io.bivouac.foundation.access.KeyText;
import io.micronaut.core.annotation.Nullable;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What a request shows to prove that it may pass, each part as it came.
 *
 * @param accessToken of the sandbox
 * @param key an API key or a token that stands for somebody
 * @param byAuthorization whether the key came in the Authorization header
 */
record Credentials(
        @Nullable String accessToken,
        @Nullable String key,
        boolean byAuthorization,
        @Nullable String link,
        @Nullable String cookie) {
    static final String ACCESS_TOKEN = "X-Access-Token";
    static final String API_KEY = "X-API-Key";
    static final String AUTHORIZATION = "Authorization";
    static final String COOKIE = "bivouac_preview";
    static final String SECURE_COOKIE = "__Host-bivouac_preview";

    private static final String BEARER = "Bearer ";
    private static final String OURS = "bivouac_";
    private static final String OURS_SECURE = "__host-bivouac_";

    static Credentials of(HttpHeaders headers, @Nullable String link) {
        var bearer = bearer(headers);
        var key = headers.get(API_KEY);
        boolean byAuthorization = bearer != null && key == null;
        return new Credentials(
                headers.get(ACCESS_TOKEN), byAuthorization ? bearer : key, byAuthorization, link, cookie(headers));
    }

    boolean none() {
        return accessToken == null && key == null && link == null && cookie == null;
    }

    /** Whether a browser could not have sent this by itself. */
    boolean byHeader() {
        return accessToken != null || key != null;
    }

    private static @Nullable String bearer(HttpHeaders headers) {
        var header = headers.get(AUTHORIZATION);
        return header != null && header.regionMatches(true, 0, BEARER, 0, BEARER.length())
                ? header.substring(BEARER.length()).strip()
                : null;
    }

    /** Whether this Authorization header has one of our keys in it. */
    static boolean isOurKey(String authorization) {
        return authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())
                && authorization.substring(BEARER.length()).strip().startsWith(KeyText.START);
    }

    private static @Nullable String cookie(HttpHeaders headers) {
        for (var cookie : cookies(headers)) {
            int equals = cookie.indexOf('=');
            var name = equals < 0 ? "" : cookie.substring(0, equals);
            if (name.equals(COOKIE) || name.equals(SECURE_COOKIE)) {
                return cookie.substring(equals + 1);
            }
        }
        return null;
    }

    private static List<String> cookies(HttpHeaders headers) {
        var cookies = new ArrayList<String>();
        for (var header : headers.getAll("Cookie")) {
            for (var cookie : header.split(";")) {
                cookies.add(cookie.strip());
            }
        }
        return cookies;
    }

    /** The cookies that are not ours, as one header; null when there are none. */
    static @Nullable String othersCookies(HttpHeaders headers) {
        var others = cookies(headers).stream()
                .filter(cookie -> !cookie.isEmpty() && !isOurs(cookie))
                .toList();
        return others.isEmpty() ? null : String.join("; ", others);
    }

    /** Whether a cookie, as either header has it, bears a name of ours. */
    static boolean isOurs(String cookie) {
        var name = cookie.strip().toLowerCase(Locale.ROOT);
        return name.startsWith(OURS) || name.startsWith(OURS_SECURE);
    }
}
