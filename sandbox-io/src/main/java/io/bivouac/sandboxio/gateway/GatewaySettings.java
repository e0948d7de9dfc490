package io.bivouac.sandboxio.gateway;

import io.micronaut.context.annotation.ConfigurationInject;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.bind.annotation.Bindable;
import java.util.Optional;

/** What an operator may set about the gateway. Immutable. */
@ConfigurationProperties("bivouac.gateway")
public final class GatewaySettings {
    /** The port of the listener where none is set; any free one is taken when this one is in use. */
    public static final int USUAL_PORT = 8081;

    private final @Nullable Integer port;
    private final @Nullable String url;
    private final int connectionsPerSandbox;
    private final @Nullable String tlsCert;
    private final @Nullable String tlsKey;

    @ConfigurationInject
    GatewaySettings(
            @Nullable Integer port,
            @Nullable String url,
            @Bindable(defaultValue = "96") int connectionsPerSandbox,
            @Nullable String tlsCert,
            @Nullable String tlsKey) {
        if (connectionsPerSandbox < 1) {
            throw new IllegalArgumentException("BIVOUAC_GATEWAY_CONNECTIONS_PER_SANDBOX must be at least 1.");
        }
        this.port = port;
        this.url = url == null || url.isBlank() ? null : url.strip().replaceFirst("/+$", "");
        this.connectionsPerSandbox = connectionsPerSandbox;
        this.tlsCert = tlsCert;
        this.tlsKey = tlsKey;
    }

    /** The port that the operator asked for; 0 for any free one. */
    public Optional<Integer> port() {
        return Optional.ofNullable(port);
    }

    /** The address that clients use, without a slash at its end; empty where it is the one listened on. */
    public Optional<String> url() {
        return Optional.ofNullable(url);
    }

    /** Connections to the ports of one sandbox, idle ones included. */
    public int connectionsPerSandbox() {
        return connectionsPerSandbox;
    }

    /** The files with the certificate and the key, in PEM; empty for plain HTTP. */
    Optional<String> tlsCert() {
        return Optional.ofNullable(tlsCert);
    }

    Optional<String> tlsKey() {
        return Optional.ofNullable(tlsKey);
    }
}
