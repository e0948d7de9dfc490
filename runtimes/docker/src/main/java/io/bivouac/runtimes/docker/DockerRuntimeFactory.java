package io.bivouac.runtimes.docker;

import io.bivouac.sandboxmodel.runtime.Installation;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.util.Optional;

/** Makes Docker the runtime where the settings ask for it. */
@Factory
@Requires(property = "bivouac.runtime", value = "docker")
class DockerRuntimeFactory {
    @Singleton
    @Bean(typed = SandboxRuntime.class, preDestroy = "close")
    DockerRuntime runtime(DockerSettings settings, AgentFiles agent, Installation installation) {
        return new DockerRuntime(settings, Optional.of(agent), installation);
    }

    @Singleton
    DockerSettings settings(
            @Value("${bivouac.docker.host:`" + DockerSettings.DEFAULT_HOST + "`}") String host,
            @Value("${bivouac.docker.pull:never}") DockerSettings.Pull pull,
            @Value("${bivouac.data-dir}") Path dataFolder) {
        return new DockerSettings(host, dataFolder, pull);
    }

    @Singleton
    AgentFiles agent(
            @Value("${bivouac.agent.binary}") Path binary, @Value("${bivouac.agent.socket-folder}") Path socketFolder) {
        return new AgentFiles(binary, socketFolder);
    }
}
