package io.bivouac.webhooks.endpoint;

import io.bivouac.foundation.network.AddressGuard;
import io.bivouac.foundation.network.HostLookup;
import io.bivouac.foundation.share.ShareMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.annotation.Value;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Duration;

/** How webhooks find their way, and which ways are closed to them. Thread-safe. */
@Singleton
public class EndpointNetwork {
    private static final Duration LONGEST_LOOKUP = Duration.ofSeconds(5);

    private final AddressGuard guard;
    private final HostLookup lookup = new HostLookup(LONGEST_LOOKUP);

    public EndpointNetwork(@Value("${bivouac.webhook-allow:}") String allowed, MeterRegistry metrics) {
        this.guard = AddressGuard.opening(allowed);
        ShareMetrics.show(metrics, "webhook-lookups", lookup.places());
    }

    public AddressGuard guard() {
        return guard;
    }

    public HostLookup lookup() {
        return lookup;
    }

    @PreDestroy
    public void close() {
        lookup.close();
    }
}
