package io.bivouac.foundation.access;

import io.bivouac.foundation.settings.PublicUrl;
import io.micronaut.context.annotation.Value;
import jakarta.inject.Singleton;
import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The pages that the operator trusts: our own, and those on a list. Thread-safe. */
@Singleton
public class TrustedOrigins {
    private final Set<String> trusted = new HashSet<>();

    TrustedOrigins(@Value("${bivouac.origins:}") List<String> origins, PublicUrl ours) {
        origins.forEach(origin -> trusted.add(normal(origin)));
        ours.text().ifPresent(url -> trusted.add(normal(url)));
        trusted.remove("");
    }

    public boolean include(String origin) {
        return trusted.contains(normal(origin));
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
