package io.bivouac.agentlink;

import io.bivouac.relay.v1.RelayServiceGrpc;
import io.bivouac.sandboxes.token.SandboxTokens;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.micronaut.core.annotation.Nullable;
import jakarta.inject.Singleton;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * Lets nobody but other relays ask what relays ask each other; agents come in by the same door. A relay shows its token,
 * and by TLS also a certificate of the installation's authority.
 */
@Singleton
final class RelayPass implements ServerInterceptor {
    static final Metadata.Key<String> HEADER = Metadata.Key.of("bivouac-relay", Metadata.ASCII_STRING_MARSHALLER);

    private final SandboxTokens tokens;
    private final RelayId relay;

    RelayPass(SandboxTokens tokens, RelayId relay) {
        this.tokens = tokens;
        this.relay = relay;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        boolean betweenRelays =
                RelayServiceGrpc.SERVICE_NAME.equals(call.getMethodDescriptor().getServiceName());
        if (betweenRelays && !isRelay(call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION), headers)) {
            call.close(Status.UNAUTHENTICATED.withDescription("the token does not fit"), new Metadata());
            return new ServerCall.Listener<>() {};
        }
        return next.startCall(call, headers);
    }

    /** @param session null on a Unix socket */
    private boolean isRelay(@Nullable SSLSession session, Metadata headers) {
        var shown = headers.get(HEADER);
        return shown != null
                && tokens.isRelayToken(relay.value(), shown)
                && (session == null || hasCertificate(session));
    }

    private static boolean hasCertificate(SSLSession session) {
        try {
            return session.getPeerCertificates()[0] instanceof X509Certificate certificate
                    && RelayTls.isOfRelay(certificate);
        } catch (SSLPeerUnverifiedException noneShown) {
            return false;
        }
    }
}
