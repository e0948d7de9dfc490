package io.bivouac.agentlink.testing;

import io.bivouac.agent.v1.AgentMessage;
import io.bivouac.agent.v1.AgentServiceGrpc;
import io.bivouac.agent.v1.CarriedDown;
import io.bivouac.agent.v1.CarriedUp;
import io.bivouac.agent.v1.EgressServiceGrpc;
import io.bivouac.agent.v1.PortServiceGrpc;
import io.bivouac.agent.v1.ProcessDown;
import io.bivouac.agent.v1.ProcessUp;
import io.bivouac.agent.v1.Register;
import io.bivouac.agent.v1.RelayMessage;
import io.bivouac.sandboxmodel.SandboxId;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.unix.DomainSocketAddress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Something that dials the relay and then says whatever a test wants. */
public final class HandMadeAgent implements AutoCloseable {
    private final EventLoopGroup network = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    private final ManagedChannel channel;

    public HandMadeAgent(Path sockets) {
        channel = NettyChannelBuilder.forAddress(
                        new DomainSocketAddress(onlySocket(sockets).toFile()))
                .channelType(EpollDomainSocketChannel.class)
                .eventLoopGroup(network)
                .usePlaintext()
                .build();
    }

    private static Path onlySocket(Path sockets) {
        try (var found = Files.list(sockets)) {
            return found.findFirst().orElseThrow();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** One side of a call: what is sent, what has come, and how it ended. */
    public static final class Call<Q, A> implements StreamObserver<A> {
        private final BlockingQueue<A> received = new LinkedBlockingQueue<>();
        private final CompletableFuture<Status> end = new CompletableFuture<>();
        private StreamObserver<Q> up;

        public Call<Q, A> send(Q message) {
            up.onNext(message);
            return this;
        }

        /** Until the other side takes more, or the call is over. */
        public void awaitReady() {
            Wait.until(() -> ((ClientCallStreamObserver<Q>) up).isReady() || end.isDone());
        }

        /** Nothing more will be sent. */
        public void sentAll() {
            up.onCompleted();
        }

        public A next() throws InterruptedException {
            return received.poll(10, TimeUnit.SECONDS);
        }

        public Status.Code end() throws Exception {
            return end.get(20, TimeUnit.SECONDS).getCode();
        }

        public boolean isOpen() {
            return !end.isDone();
        }

        @Override
        public void onNext(A message) {
            received.add(message);
        }

        @Override
        public void onError(Throwable error) {
            end.complete(Status.fromThrowable(error));
        }

        @Override
        public void onCompleted() {
            end.complete(Status.OK);
        }
    }

    public Call<AgentMessage, RelayMessage> connect() {
        var call = new Call<AgentMessage, RelayMessage>();
        call.up = AgentServiceGrpc.newStub(channel).connect(call);
        return call;
    }

    public Call<ProcessUp, ProcessDown> process() {
        var call = new Call<ProcessUp, ProcessDown>();
        call.up = AgentServiceGrpc.newStub(channel).process(call);
        return call;
    }

    public Call<CarriedUp, CarriedDown> carry() {
        var call = new Call<CarriedUp, CarriedDown>();
        call.up = PortServiceGrpc.newStub(channel).carry(call);
        return call;
    }

    /** A connection that a program has opened to its proxy. */
    public Call<CarriedUp, CarriedDown> egress() {
        var call = new Call<CarriedUp, CarriedDown>();
        call.up = EgressServiceGrpc.newStub(channel).carry(call);
        return call;
    }

    public Call<AgentMessage, RelayMessage> register(SandboxId id, String token) {
        return connect().send(registration(id.value(), token));
    }

    /** The same, and waits to be welcome: the sandbox runs a moment before its agent may use other doors. */
    public void registered(SandboxId id, String token) throws InterruptedException {
        if (register(id, token).next() == null) {
            throw new AssertionError(id + "'s agent was not welcome");
        }
    }

    public static AgentMessage registration(String id, String token) {
        return AgentMessage.newBuilder()
                .setRegister(Register.newBuilder()
                        .setProtocol(1)
                        .setSandboxId(id)
                        .setJoinToken(token)
                        .setAgentVersion("0.0-test")
                        .setBootId("boot"))
                .build();
    }

    @Override
    public void close() {
        channel.shutdownNow();
        network.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}
