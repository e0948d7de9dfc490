package io.bivouac.webhooks.endpoint;

import io.bivouac.events.TypePatterns;
import io.bivouac.foundation.encryption.SecretBox;
import io.bivouac.webhooks.endpoint.Endpoint.Disabled;
import io.bivouac.webhooks.endpoint.Endpoint.Health;
import io.bivouac.webhooks.endpoint.Endpoint.Keys;
import io.bivouac.webhooks.endpoint.Endpoint.Manner;
import io.bivouac.webhooks.endpoint.Endpoint.Retry;
import io.bivouac.webhooks.signing.SigningKeys;
import io.micronaut.core.annotation.Nullable;
import jakarta.inject.Singleton;
import java.net.URI;
import java.util.Locale;

/** Between an endpoint and its row, in which secrets are encrypted. Thread-safe. */
@Singleton
class EncryptedEndpoints {
    private final SecretBox box;

    EncryptedEndpoints(SecretBox box) {
        this.box = box;
    }

    EndpointRow row(Endpoint endpoint) {
        var health = endpoint.health();
        var keys = endpoint.keys();
        return new EndpointRow(
                endpoint.id(),
                endpoint.project(),
                endpoint.url().toString(),
                endpoint.description(),
                endpoint.types().text(),
                health.disabled() == null,
                health.disabled() == null ? null : wireName(health.disabled()),
                health.disabledAt(),
                wireName(endpoint.manner().retry()),
                endpoint.manner().fifo(),
                endpoint.manner().rateLimit(),
                endpoint.manner().concurrency(),
                keys.current().seed() == null ? "v1" : "v1a",
                box.seal(keys.current().stored(), place(endpoint.id(), "secret")),
                keys.previous() == null
                        ? null
                        : box.seal(keys.previous().stored(), place(endpoint.id(), "previous_secret")),
                keys.previousUntil(),
                health.failingSince(),
                endpoint.sequence(),
                endpoint.version(),
                0,
                endpoint.createdAt(),
                endpoint.updatedAt(),
                endpoint.deletedAt());
    }

    Endpoint endpoint(EndpointRow row) {
        return new Endpoint(
                row.id(),
                row.projectId(),
                URI.create(row.url()),
                row.description(),
                TypePatterns.ofText(row.types()),
                new Manner(named(Retry.class, row.retry()), row.fifo(), row.rateLimit(), row.concurrency()),
                new Keys(
                        SigningKeys.parse(box.open(row.secret(), place(row.id(), "secret"))),
                        previous(row),
                        row.previousUntil()),
                new Health(
                        row.disabledReason() == null ? null : named(Disabled.class, row.disabledReason()),
                        row.disabledAt(),
                        row.failingSince()),
                row.createdAt(),
                row.updatedAt(),
                row.deletedAt(),
                row.sequence(),
                row.version());
    }

    @Nullable private SigningKeys previous(EndpointRow row) {
        return row.previousSecret() == null
                ? null
                : SigningKeys.parse(box.open(row.previousSecret(), place(row.id(), "previous_secret")));
    }

    private static String place(String id, String column) {
        return "webhook_endpoints/" + id + "/" + column;
    }

    static String wireName(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private static <T extends Enum<T>> T named(Class<T> type, String name) {
        return Enum.valueOf(type, name.toUpperCase(Locale.ROOT));
    }
}
