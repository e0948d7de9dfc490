package io.bivouac.sandboxes.nfs;

import io.bivouac.sandboxes.token.SandboxTokens;
import io.bivouac.sandboxmodel.runtime.HostFolders;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.util.List;

/** Makes the server that the settings ask for. */
@Factory
class NfsServerFactory {
    @Singleton
    @Requires(property = NfsSettings.MODE, value = "embedded")
    NfsServer embedded(NfsSettings settings, NfsCommand command, SandboxTokens tokens) {
        return new EmbeddedNfs(settings, command, tokens);
    }

    @Singleton
    @Requires(property = NfsSettings.MODE, value = "embedded")
    NfsCommand command(
            SandboxRuntime runtime,
            JsonMapper json,
            @Value("${bivouac.agent.binary}") Path agent,
            @Value("${bivouac.data-dir}") Path data) {
        var prefix = runtime.hostFolders().map(HostFolders::launchPrefix).orElse(List.of());
        return new NfsCommand(prefix, agent, data.resolve("nfs"), json);
    }

    @Singleton
    @Requires(property = NfsSettings.MODE, value = "system")
    NfsServer system(NfsSettings settings, @Value("${bivouac.data-dir}") Path data) {
        return SystemNfs.ofThisHost(settings, data);
    }
}
