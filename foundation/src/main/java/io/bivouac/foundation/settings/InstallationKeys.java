package io.bivouac.foundation.settings;

import io.micronaut.context.annotation.ConfigurationInject;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.annotation.Nullable;

/** The two keys that all servers of an installation share, by their names or the former ones. Immutable. */
@ConfigurationProperties("bivouac")
public final class InstallationKeys {
    private final @Nullable String token;
    private final @Nullable String encryption;

    @ConfigurationInject
    InstallationKeys(
            @Nullable String tokenKey,
            @Nullable String secretKey,
            @Nullable String encryptionKey,
            @Nullable String secretsKey) {
        this.token = same("BIVOUAC_TOKEN_KEY", tokenKey, "BIVOUAC_SECRET_KEY", secretKey);
        this.encryption = same("BIVOUAC_ENCRYPTION_KEY", encryptionKey, "BIVOUAC_SECRETS_KEY", secretsKey);
    }

    /** Derives tokens of sandboxes, agents, relays and console logins; Base64. */
    public String token() {
        return given("BIVOUAC_TOKEN_KEY", token);
    }

    /** Encrypts secrets in the database; 32 bytes in Base64, or several such keys separated by commas. */
    public String encryption() {
        return given("BIVOUAC_ENCRYPTION_KEY", encryption);
    }

    private static @Nullable String same(String name, @Nullable String value, String former, @Nullable String old) {
        if (isSet(value) && isSet(old) && !value.strip().equals(old.strip())) {
            throw new IllegalArgumentException(
                    "%s and %s have different values; %s is the former name of %s, so set only %s."
                            .formatted(name, former, former, name, name));
        }
        return isSet(value) ? value : old;
    }

    /** An empty variable of the environment counts as none. */
    private static boolean isSet(@Nullable String value) {
        return value != null && !value.isBlank();
    }

    private static String given(String name, @Nullable String value) {
        if (!isSet(value)) {
            throw new IllegalStateException(name + " is not set.");
        }
        return value.strip();
    }
}
