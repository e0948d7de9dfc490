package io.bivouac.webhooks.crash;

import io.bivouac.foundation.fault.FaultPoint;
import io.bivouac.webhooks.WebhookServer;
import io.micronaut.core.annotation.Nullable;
import java.io.IOException;
import java.util.Map;

/** The messenger as its own program. */
final class Dispatcher {
    private Dispatcher() {}

    static Program start(CrashStack stack, @Nullable FaultPoint stop) throws IOException {
        return Program.start(
                WebhookServer.class,
                stack,
                stop,
                Map.of("BIVOUAC_WEBHOOKS_LEASE", "5s", "BIVOUAC_WEBHOOKS_TIMEOUT", "4s"));
    }
}
