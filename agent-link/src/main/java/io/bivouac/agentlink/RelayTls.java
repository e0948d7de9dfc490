package io.bivouac.agentlink;

import io.grpc.netty.GrpcSslContexts;
import io.micronaut.core.annotation.Nullable;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;

/**
 * How relays prove themselves by TLS: to agents by a certificate of the installation's authority, to each other by such
 * a certificate at both ends. Thread-safe.
 */
@Singleton
class RelayTls {
    private static final String VERSION = "TLSv1.3";
    private static final int DNS_NAME = 2;

    private final AgentSettings settings;
    private final RelayAuthority authority;
    private final RelayId relay;
    private Authority.@Nullable Identity identity;

    RelayTls(AgentSettings settings, RelayAuthority authority, RelayId relay) {
        this.settings = settings;
        this.authority = authority;
        this.relay = relay;
    }

    /** For agents, which show no certificate, and for relays, which must. */
    SslContext server() throws IOException {
        if (settings.getCertificate() != null) {
            return given();
        }
        writeAuthority();
        var own = identity();
        return GrpcSslContexts.configure(SslContextBuilder.forServer(own.key(), own.certificate()))
                .trustManager(authority.get().certificate())
                .clientAuth(ClientAuth.OPTIONAL)
                .protocols(VERSION)
                .build();
    }

    private SslContext given() throws IOException {
        if (settings.getKey() == null) {
            throw new IOException("bivouac.agent.certificate needs bivouac.agent.key");
        }
        return GrpcSslContexts.forServer(
                        settings.getCertificate().toFile(), settings.getKey().toFile())
                .build();
    }

    /** Whether this relay and others meet by TLS; with a certificate from elsewhere they have none to show each other. */
    boolean amongRelays() {
        return settings.getPort() != null && settings.getCertificate() == null;
    }

    /** For dialling other relays. */
    SslContext client() throws IOException {
        var own = identity();
        return GrpcSslContexts.forClient()
                .keyManager(own.key(), own.certificate())
                .trustManager(authority.get().certificate())
                .protocols(VERSION)
                .build();
    }

    private synchronized Authority.Identity identity() throws IOException {
        if (identity == null) {
            identity = authority.get().issue(relay, settings.advertisedHost());
        }
        return identity;
    }

    /** What agents are given to know their relays by. */
    private void writeAuthority() throws IOException {
        var file = settings.getAuthorityFile();
        if (file == null) {
            return;
        }
        var pem = authority.get().certificatePem();
        if (!Files.exists(file) || !Files.readString(file).equals(pem)) {
            var fresh = Path.of(file + ".new");
            Files.writeString(fresh, pem);
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /** Whether a certificate that the authority has issued is that of a relay. */
    static boolean isOfRelay(X509Certificate certificate) {
        try {
            var names = certificate.getSubjectAlternativeNames();
            return names != null
                    && names.stream()
                            .anyMatch(name ->
                                    name.get(0).equals(DNS_NAME) && name.get(1).equals(Authority.RELAY_NAME));
        } catch (CertificateParsingException malformed) {
            return false;
        }
    }
}
