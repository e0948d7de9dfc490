package io.bivouac.functions.login;

import io.bivouac.http.ConsoleLoginFilter;
import io.micronaut.http.cookie.Cookie;
import io.micronaut.http.cookie.SameSite;
import java.time.Duration;

/** The console's cookie. */
final class ConsoleCookie {
    private ConsoleCookie() {}

    static Cookie holding(String text, Duration age, boolean secure) {
        return Cookie.of(secure ? ConsoleLoginFilter.SECURE_COOKIE : ConsoleLoginFilter.COOKIE, text)
                .path("/")
                .httpOnly(true)
                .sameSite(SameSite.Strict)
                .secure(secure)
                .maxAge(age.toSeconds());
    }
}
