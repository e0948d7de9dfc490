package io.bivouac.launcher;

import java.util.HashMap;
import java.util.Map;

/** What the services are told: the names that they read are written here and nowhere else in the launcher. */
final class ServiceProperties {
    private ServiceProperties() {}

    static Map<String, Object> of(
            LauncherSettings settings,
            DataFolder data,
            ListenAddress address,
            Backing backing,
            String apiKey,
            String tokenKey,
            String encryptionKey) {
        var properties = new HashMap<String, Object>();
        properties.put("bivouac.version", ProgramVersion.current());
        properties.put("bivouac.database.url", backing.databaseUrl());
        properties.put("bivouac.kafka.bootstrap", backing.kafkaBootstrap());
        properties.put("bivouac.kafka.properties", backing.kafkaProperties());
        properties.put("bivouac.data-dir", data.path().toString());
        properties.put("bivouac.public-url", settings.publicUrl().orElse(address.url()));
        properties.put("bivouac.api-key", apiKey);
        properties.put("bivouac.token-key", tokenKey);
        properties.put("bivouac.encryption-key", encryptionKey);
        putServices(properties, settings);
        properties.put(
                "bivouac.agent.binary",
                AgentProgram.installInto(data, settings.agentBinary()).toString());
        properties.put(
                "bivouac.agent.socket-folder",
                settings.agentSocketFolder().orElse(data.resolve("agents")).toString());
        properties.put(
                "bivouac.agent.authority-file",
                data.resolve("agent-authority.pem").toString());
        properties.put("bivouac.webhook-allow", settings.webhookAllow());
        properties.put("bivouac.solid-allow", settings.solidAllow());
        properties.put("bivouac.origins", settings.origins());
        properties.put("micronaut.server.host", address.host());
        properties.put("micronaut.server.port", address.port());
        if (settings.services().relay()) {
            properties.putAll(settings.nfs().properties(settings.publicUrl().orElse(address.url())));
        }
        settings.gatewayPort().ifPresent(port -> properties.put("bivouac.gateway.port", port));
        settings.gatewayUrl().ifPresent(url -> properties.put("bivouac.gateway.url", url));
        settings.previewDomain().ifPresent(domain -> properties.put("bivouac.preview-domain", domain));
        settings.tlsCert().ifPresent(file -> properties.put("bivouac.gateway.tls-cert", file.toString()));
        settings.tlsKey().ifPresent(file -> properties.put("bivouac.gateway.tls-key", file.toString()));
        return properties;
    }

    /** A process without a relay has other hosts make sandboxes, and reaches their agents through the relays there. */
    private static void putServices(Map<String, Object> properties, LauncherSettings settings) {
        var services = settings.services();
        properties.put("bivouac.runtime", services.relay() ? settings.runtime() : "elsewhere");
        if (!services.relay()) {
            properties.put("bivouac.hosts-runtime", settings.runtime());
            properties.put("bivouac.agent.listen", false);
        }
        if (!services.webhooks()) {
            properties.put("bivouac.webhooks.dispatch", false);
        }
        properties.put("bivouac.background", services.background());
    }
}
