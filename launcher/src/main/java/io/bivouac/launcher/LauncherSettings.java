package io.bivouac.launcher;

import io.bivouac.foundation.settings.KeyVariable;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What an operator may set; the documented contract, in the order of its documentation.
 *
 * @param publicUrl what clients and DPoP proofs see; empty means the address that the server listens on
 * @param gatewayPort where ports of sandboxes are reached; empty means 8081, or any free one where that is in use
 * @param gatewayUrl what clients of the gateway see; empty means the address that it listens on
 * @param previewDomain the domain below which each port of a sandbox has a host of its own; empty for none
 * @param tokenKey what sandboxes' tokens are derived from; empty means the one in the data folder
 * @param encryptionKey what secrets at rest are encrypted with; empty means the one in the data folder
 * @param databaseUrl {@code postgresql://user:password@host:port/db}; empty means an embedded PostgreSQL
 * @param kafkaBootstrap empty means an embedded Kafka
 * @param kafkaProperties how to log in there: a file as Kafka's own programs take it
 * @param agentBinary empty means the one that came with the distribution
 * @param agentSocketFolder where agents of this machine find their relays; empty means the one in the data folder
 * @param webhookAllow CIDRs that the webhook guard lets through, separated by commas
 * @param solidAllow the same for WebID and issuer fetches
 * @param origins web origins that may open terminals, separated by commas
 * @param services which of them this process runs
 */
record LauncherSettings(
        String host,
        int port,
        Optional<String> publicUrl,
        Optional<Integer> gatewayPort,
        Optional<String> gatewayUrl,
        Optional<String> previewDomain,
        Path dataDir,
        Optional<String> apiKey,
        Optional<String> tokenKey,
        Optional<String> encryptionKey,
        String runtime,
        Optional<Path> agentBinary,
        Optional<Path> agentSocketFolder,
        Optional<String> databaseUrl,
        Optional<String> kafkaBootstrap,
        Optional<Path> kafkaProperties,
        int databasePort,
        int kafkaPort,
        String webhookAllow,
        String solidAllow,
        String origins,
        Optional<Path> tlsCert,
        Optional<Path> tlsKey,
        NfsChoice nfs,
        LogTarget log,
        Services services) {

    static final int LARGEST_PORT = 65535;

    /** Where the JSON log goes. */
    enum LogTarget {
        FILE,
        STDOUT
    }

    LauncherSettings {
        if (tlsCert.isPresent() != tlsKey.isPresent()) {
            throw new StartRefused("BIVOUAC_TLS_CERT and BIVOUAC_TLS_KEY belong together: set both or neither.");
        }
        tlsCert.ifPresent(file -> requireReadable("BIVOUAC_TLS_CERT", file));
        tlsKey.ifPresent(file -> requireReadable("BIVOUAC_TLS_KEY", file));
    }

    static LauncherSettings from(SettingSource source) {
        var settings = new LauncherSettings(
                source.text("BIVOUAC_HOST").orElse("127.0.0.1"),
                source.number("BIVOUAC_PORT", LARGEST_PORT).orElse(8080),
                source.text("BIVOUAC_PUBLIC_URL"),
                source.number("BIVOUAC_GATEWAY_PORT", LARGEST_PORT),
                source.text("BIVOUAC_GATEWAY_URL"),
                source.text("BIVOUAC_PREVIEW_DOMAIN"),
                source.path("BIVOUAC_DATA_DIR").orElseGet(() -> DefaultDataDir.of(source)),
                source.text("BIVOUAC_API_KEY"),
                source.key(KeyVariable.TOKEN),
                source.key(KeyVariable.ENCRYPTION),
                source.text("BIVOUAC_RUNTIME")
                        .map(LauncherSettings::knownRuntime)
                        .orElse("bubblewrap"),
                source.path("BIVOUAC_AGENT_BINARY"),
                source.path("BIVOUAC_AGENT_SOCKET_FOLDER"),
                source.text("BIVOUAC_DATABASE_URL"),
                source.text("BIVOUAC_KAFKA_BOOTSTRAP"),
                source.path("BIVOUAC_KAFKA_PROPERTIES"),
                source.number("BIVOUAC_DATABASE_PORT", LARGEST_PORT).orElse(0),
                source.number("BIVOUAC_KAFKA_PORT", LARGEST_PORT).orElse(0),
                source.text("BIVOUAC_WEBHOOK_ALLOW").orElse(""),
                source.text("BIVOUAC_SOLID_ALLOW").orElse(""),
                source.text("BIVOUAC_ORIGINS").orElse(""),
                source.path("BIVOUAC_TLS_CERT"),
                source.path("BIVOUAC_TLS_KEY"),
                NfsChoice.from(source),
                source.text("BIVOUAC_LOG").map(LauncherSettings::logTarget).orElse(LogTarget.FILE),
                Services.parse(source.text(Services.SETTING)));
        source.refuseUnasked();
        return settings;
    }

    boolean tls() {
        return tlsCert.isPresent();
    }

    private static String knownRuntime(String name) {
        return switch (name) {
            case "bubblewrap", "docker", "kubernetes" -> name;
            default ->
                throw new StartRefused(
                        "BIVOUAC_RUNTIME is \"%s\"; it can be bubblewrap, docker or kubernetes.".formatted(name));
        };
    }

    private static LogTarget logTarget(String text) {
        return switch (text) {
            case "file" -> LogTarget.FILE;
            case "stdout" -> LogTarget.STDOUT;
            default -> throw new StartRefused("BIVOUAC_LOG is \"%s\"; it can be file or stdout.".formatted(text));
        };
    }

    private static void requireReadable(String name, Path file) {
        if (!java.nio.file.Files.isReadable(file)) {
            throw new StartRefused("%s: there is no readable file %s.".formatted(name, file));
        }
    }
}
