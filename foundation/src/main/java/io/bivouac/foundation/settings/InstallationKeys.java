package io.bivouac.foundation.settings;

import io.micronaut.context.annotation.ConfigurationInject;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.annotation.Nullable;
import java.util.Optional;

/** The two keys that all servers of an installation share, by their names or the former ones. Immutable. */
@ConfigurationProperties("bivouac")
public final class InstallationKeys {
    private final Optional<String> token;
    private final Optional<String> encryption;

    @ConfigurationInject
    InstallationKeys(
            @Nullable String tokenKey,
            @Nullable String secretKey,
            @Nullable String encryptionKey,
            @Nullable String secretsKey) {
        this.token = KeyVariable.TOKEN.of(tokenKey, secretKey);
        this.encryption = KeyVariable.ENCRYPTION.of(encryptionKey, secretsKey);
    }

    public String token() {
        return given(KeyVariable.TOKEN, token);
    }

    public String encryption() {
        return given(KeyVariable.ENCRYPTION, encryption);
    }

    private static String given(KeyVariable key, Optional<String> value) {
        return value.orElseThrow(() -> new IllegalStateException(key.variable() + " is not set."));
    }
}
