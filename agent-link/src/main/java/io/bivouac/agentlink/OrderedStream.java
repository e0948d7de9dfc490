package io.bivouac.agentlink;

import io.grpc.stub.CallStreamObserver;
import io.micronaut.core.annotation.Nullable;

/**
 * A call that an agent was ordered to open, as seen by whoever ordered it. The agent is connected here or to another
 * relay; an implementation sees no difference. Its methods are called on network threads and return at once.
 *
 * @param <U> what the agent says
 * @param <D> what the agent is told
 */
interface OrderedStream<U, D> {
    /** What the agent's first message says. */
    String callId();

    /** The agent has opened its side with this message. */
    void opened(CallStreamObserver<D> call, U first);

    /** The agent takes more. */
    void ready();

    /** False when no agent of ours would say this. */
    boolean receive(CallStreamObserver<D> call, U message);

    /** The agent has said all. */
    void halfClosed(CallStreamObserver<D> call);

    /** The call broke, or the connection under it, which is when no call is given. */
    void interrupted(@Nullable CallStreamObserver<D> call, String why);

    /** Gives up what waits too long. */
    default void tick(long now) {}
}
