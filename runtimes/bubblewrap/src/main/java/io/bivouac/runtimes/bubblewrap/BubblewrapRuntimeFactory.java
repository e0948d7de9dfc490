package io.bivouac.runtimes.bubblewrap;

import io.bivouac.sandboxmodel.runtime.Installation;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import jakarta.inject.Singleton;
import java.nio.file.Path;

/** Makes bubblewrap the runtime where the settings ask for it. */
@Factory
@Requires(property = "bivouac.runtime", value = BubblewrapRuntime.NAME)
class BubblewrapRuntimeFactory {
    @Singleton
    @Bean(typed = SandboxRuntime.class, preDestroy = "close")
    BubblewrapRuntime runtime(
            BubblewrapSettings settings,
            AgentFiles agent,
            Installation installation,
            @Value("${bivouac.data-dir}") Path data) {
        return new BubblewrapRuntime(settings, agent, installation, data);
    }

    @Singleton
    AgentFiles agent(
            @Value("${bivouac.agent.binary}") Path binary, @Value("${bivouac.agent.socket-folder}") Path socketFolder) {
        return new AgentFiles(binary, socketFolder);
    }
}
