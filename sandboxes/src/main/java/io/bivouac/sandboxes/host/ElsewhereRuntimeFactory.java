package io.bivouac.sandboxes.host;

import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import jakarta.inject.Singleton;

/** Has sandboxes made by other hosts where the settings ask for it. */
@Factory
@Requires(property = "bivouac.runtime", value = "elsewhere")
class ElsewhereRuntimeFactory {
    /** @param name of the runtime that those hosts have */
    @Singleton
    @Bean(typed = SandboxRuntime.class)
    ElsewhereRuntime runtime(@Value("${bivouac.hosts-runtime}") String name, Hosts hosts) {
        return new ElsewhereRuntime(name, hosts);
    }
}
