package io.bivouac.http;

import io.micronaut.context.ApplicationContextBuilder;
import io.micronaut.context.ApplicationContextConfigurer;
import io.micronaut.context.annotation.ContextConfigurer;
import io.micronaut.context.env.PropertySource;
import java.util.Map;

/** What the framework is told for every service with an HTTP door; anything said elsewhere wins. */
@ContextConfigurer
public class ServerDefaults implements ApplicationContextConfigurer {
    /** Before the environment and any file. */
    private static final int FIRST = -1_000;

    /** The largest body that an operation gets in one piece; larger ones are 413. */
    private static final int LARGEST_BODY = 1 << 20;

    /** What is read at once of a body that an operation takes piece by piece, such as a file of any size. */
    private static final int LARGEST_PIECE = 64 << 10;

    @Override
    public void configure(ApplicationContextBuilder builder) {
        builder.propertySources(
                askedFor(),
                PropertySource.of(
                        "bivouac-http",
                        Map.ofEntries(
                                Map.entry("micronaut.application.name", "bivouac"),
                                Map.entry("micronaut.server.host", "127.0.0.1"),
                                Map.entry("micronaut.server.port", 8080),
                                Map.entry("micronaut.server.max-request-size", Long.MAX_VALUE),
                                Map.entry("micronaut.server.max-request-buffer-size", LARGEST_BODY),
                                Map.entry("micronaut.server.netty.max-chunk-size", LARGEST_PIECE),
                                Map.entry("micronaut.metrics.enabled", true),
                                Map.entry("micronaut.metrics.export.prometheus.enabled", true),
                                Map.entry("micronaut.metrics.export.prometheus.step", "PT1M"),
                                Map.entry("micronaut.metrics.binders.web.enabled", true),
                                Map.entry("micronaut.metrics.binders.files.enabled", false),
                                // Nobody reads what it finds out every minute: /health and /ready ask for themselves.
                                Map.entry("micronaut.health.monitor.enabled", false),
                                Map.entry("endpoints.all.enabled", false),
                                Map.entry("micronaut.executors.blocking.type", "cached"),
                                Map.entry("micronaut.executors.blocking.virtual", false)),
                        FIRST));
    }

    private static PropertySource askedFor() {
        return PropertySource.of(
                "bivouac-requests",
                Map.of(
                        // In a query, a semicolon is a character like others: commands have them.
                        "micronaut.server.semicolon-is-normal-char",
                        true,
                        // A compressed body would be inflated, without a bound, before the login is looked at.
                        "micronaut.server.netty.request-decompression-enabled",
                        false,
                        // The framework would refuse every page elsewhere on a loopback address, also those that
                        // BIVOUAC_ORIGINS lists. The checks of Host and Origin decide instead.
                        "micronaut.server.cors.localhost-pass-through",
                        true),
                FIRST);
    }
}
