package io.bivouac.webhooks.endpoint;

import io.bivouac.foundation.network.AddressGuard;
import io.bivouac.foundation.network.GuardedDialer;
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

    private final GuardedDialer dialer;

    public EndpointNetwork(@Value("${bivouac.webhook-allow:}") String allowed, MeterRegistry metrics) {
        this.dialer = new GuardedDialer(AddressGuard.opening(allowed), LONGEST_LOOKUP);
        ShareMetrics.show(metrics, "webhook-lookups", dialer.lookups());
    }

    public GuardedDialer dialer() {
        return dialer;
    }

    @PreDestroy
    public void close() {
        dialer.close();
    }
}
