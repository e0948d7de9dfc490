package io.bivouac.runtimes.kubernetes;

import io.bivouac.sandboxmodel.runtime.Installation;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import io.micronaut.core.annotation.Nullable;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Makes a cluster the runtime where the settings ask for it. */
@Factory
@Requires(property = "bivouac.runtime", value = KubernetesRuntime.NAME)
class KubernetesRuntimeFactory {
    /** What of a start's time is left to the agent, so that a Pod's own reason comes before "no agent". */
    private static final Duration FOR_THE_AGENT = Duration.ofSeconds(5);

    @Singleton
    @Bean(typed = SandboxRuntime.class, preDestroy = "close")
    KubernetesRuntime runtime(
            KubernetesSettings settings,
            Relays relays,
            @Value("${bivouac.lifecycle.start-timeout:60s}") Duration startTimeout,
            Installation installation) {
        return new KubernetesRuntime(settings, relays, startTimeout.minus(FOR_THE_AGENT), installation);
    }

    @Singleton
    Relays relays(
            KubernetesSettings settings,
            @Nullable @Value("${bivouac.agent.address}") String address,
            @Nullable @Value("${bivouac.agent.port}") Integer port,
            @Value("${bivouac.agent.authority-file}") Path authority) {
        if (!settings.getRelays().isEmpty() || address == null || port == null) {
            return new Relays(settings.getRelays(), authority);
        }
        return new Relays(List.of(address.matches(".*:[0-9]+") ? address : address + ":" + port), authority);
    }
}
