package io.bivouac.functions.session;

import io.bivouac.http.SessionLogin;
import io.micronaut.http.cookie.Cookie;
import io.micronaut.http.cookie.SameSite;
import java.time.Duration;

/** The console's cookie. */
final class SessionCookie {
    private SessionCookie() {}

    static Cookie holding(String text, Duration age, boolean secure) {
        return Cookie.of(SessionLogin.COOKIE, text)
                .path("/")
                .httpOnly(true)
                .sameSite(SameSite.Strict)
                .secure(secure)
                .maxAge(age.toSeconds());
    }
}
