package io.bivouac.webhooks.endpoint;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Role;
import io.bivouac.webhooks.signing.Signer;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;

/**
 * An endpoint as its project sees it.
 *
 * @param url whole for developers; its origin and a hash for viewers
 * @param secret shown only when it has just been made
 * @param publicKey what {@code v1a} signatures are verified with
 * @param previousSecretUntil until when the replaced secret signs as well
 * @param failingSince the first failure since the last success
 */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
record EndpointView(
        String id,
        String url,
        @Nullable String description,
        List<String> types,
        boolean enabled,
        @Nullable String disabledReason,
        @Nullable Instant disabledAt,
        @Nullable Instant failingSince,
        String retry,
        boolean fifo,
        @Nullable Integer rateLimit,
        int concurrency,
        String signing,
        @Nullable String publicKey,
        @Nullable String secret,
        @Nullable Instant previousSecretUntil,
        Instant createdAt,
        Instant updatedAt) {
    static EndpointView of(Endpoint endpoint) {
        return of(endpoint, endpoint.url().toString(), null);
    }

    /** The URL whole for those who may change it, since many a URL is a secret itself. */
    static EndpointView of(Endpoint endpoint, Caller caller) {
        boolean mayChange = caller.role().includes(Role.DEVELOPER);
        return mayChange ? of(endpoint) : of(endpoint, ShownUrl.of(endpoint.url()), null);
    }

    static EndpointView withSecret(Endpoint endpoint) {
        return of(endpoint, endpoint.url().toString(), endpoint.keys().current().secretText());
    }

    private static EndpointView of(Endpoint endpoint, String url, @Nullable String secret) {
        var health = endpoint.health();
        var keys = endpoint.keys();
        var publicKey = new Signer(keys.current(), null, null).publicKey();
        return new EndpointView(
                endpoint.id(),
                url,
                endpoint.description(),
                endpoint.types().patterns(),
                endpoint.isEnabled(),
                health.disabled() == null ? null : EncryptedEndpoints.wireName(health.disabled()),
                health.disabledAt(),
                health.failingSince(),
                EncryptedEndpoints.wireName(endpoint.manner().retry()),
                endpoint.manner().fifo(),
                endpoint.manner().rateLimit(),
                endpoint.manner().concurrency(),
                publicKey.isPresent() ? "v1a" : "v1",
                publicKey.orElse(null),
                secret,
                isOver(keys.previousUntil()) ? null : keys.previousUntil(),
                endpoint.createdAt(),
                endpoint.updatedAt());
    }

    private static boolean isOver(@Nullable Instant until) {
        return until != null && until.isBefore(Instant.now());
    }
}
