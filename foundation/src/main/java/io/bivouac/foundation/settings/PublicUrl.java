package io.bivouac.foundation.settings;

import io.micronaut.context.annotation.ConfigurationInject;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.annotation.Nullable;
import java.net.URI;
import java.util.Optional;

/** The address that clients use ({@code BIVOUAC_PUBLIC_URL}), without a slash at its end. Immutable. */
@ConfigurationProperties("bivouac")
public final class PublicUrl {
    private final @Nullable String url;

    @ConfigurationInject
    PublicUrl(@Nullable String publicUrl) {
        this.url = publicUrl == null || publicUrl.isBlank()
                ? null
                : publicUrl.strip().replaceFirst("/+$", "");
    }

    /** Empty where it is not set: clients then use the address that they came to. */
    public Optional<String> text() {
        return Optional.ofNullable(url);
    }

    public Optional<String> host() {
        return text().map(URI::create).map(URI::getHost);
    }

    public boolean isHttps() {
        return url != null && url.startsWith("https:");
    }
}
