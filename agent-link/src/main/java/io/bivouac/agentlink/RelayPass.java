package io.bivouac.agentlink;

import io.bivouac.relay.v1.RelayServiceGrpc;
import io.bivouac.sandboxes.token.SandboxTokens;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import jakarta.inject.Singleton;

/** Lets nobody but other relays ask what relays ask each other; agents come in by the same door. */
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
        var shown = headers.get(HEADER);
        if (betweenRelays && (shown == null || !tokens.isRelayToken(relay.value(), shown))) {
            call.close(Status.UNAUTHENTICATED.withDescription("the token does not fit"), new Metadata());
            return new ServerCall.Listener<>() {};
        }
        return next.startCall(call, headers);
    }
}
