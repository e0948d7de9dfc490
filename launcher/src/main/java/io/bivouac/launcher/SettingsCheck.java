package io.bivouac.launcher;

import io.bivouac.foundation.database.DatabaseUrl;
import io.bivouac.foundation.network.Cidr;
import java.net.URI;
import java.util.Base64;
import java.util.stream.Stream;

/**
 * Refuses values that the services would refuse only later: nothing is started with a wrong one. Runs before the log
 * has its folder, so it uses no class that has a logger.
 */
final class SettingsCheck {
    /** As the services have it, in {@code FirstStart} and {@code SandboxTokens}. */
    static final int SHORTEST_API_KEY = 16;

    private static final int KEY_BYTES = 32;

    private SettingsCheck() {}

    static void run(LauncherSettings settings) {
        settings.publicUrl().ifPresent(SettingsCheck::publicUrl);
        settings.databaseUrl().ifPresent(url -> parsed("BIVOUAC_DATABASE_URL", () -> DatabaseUrl.parse(url)));
        parsed("BIVOUAC_WEBHOOK_ALLOW", () -> Cidr.list(settings.webhookAllow()));
        parsed("BIVOUAC_SOLID_ALLOW", () -> Cidr.list(settings.solidAllow()));
    }

    /** Given by a setting, or stored in the data folder. */
    static void keys(String apiKey, String tokenKey, String encryptionKey) {
        if (apiKey.length() < SHORTEST_API_KEY) {
            throw new StartRefused("BIVOUAC_API_KEY has %d characters; it must have at least %d."
                    .formatted(apiKey.length(), SHORTEST_API_KEY));
        }
        if (bytesOf("BIVOUAC_TOKEN_KEY", tokenKey) < KEY_BYTES) {
            throw new StartRefused("BIVOUAC_TOKEN_KEY must be at least %d bytes in Base64.".formatted(KEY_BYTES));
        }
        Stream.of(encryptionKey.split(",")).forEach(key -> {
            if (bytesOf("BIVOUAC_ENCRYPTION_KEY", key) != KEY_BYTES) {
                throw new StartRefused(
                        "BIVOUAC_ENCRYPTION_KEY must be %d bytes in Base64, or several such keys separated by commas."
                                .formatted(KEY_BYTES));
            }
        });
    }

    private static int bytesOf(String name, String key) {
        try {
            return Base64.getDecoder().decode(key.strip()).length;
        } catch (IllegalArgumentException noBase64) {
            throw new StartRefused("%s is not Base64.".formatted(name), noBase64);
        }
    }

    private static void publicUrl(String url) {
        parsed("BIVOUAC_PUBLIC_URL", () -> {
            var uri = URI.create(url);
            if (uri.getHost() == null || !("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))) {
                throw new IllegalArgumentException("it must look like https://sandboxes.example.org");
            }
        });
    }

    private static void parsed(String name, Runnable parse) {
        try {
            parse.run();
        } catch (IllegalArgumentException wrong) {
            throw new StartRefused("%s: %s".formatted(name, wrong.getMessage()), wrong);
        }
    }
}
