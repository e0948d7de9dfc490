package io.bivouac.terminalrelay.terminal;

import io.bivouac.agentlink.Agent;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.terminalrelay.wire.ToClient;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import java.util.function.Consumer;

/** A client at a terminal, with the ways in which that ends, whatever passes between client and agent. Thread-safe. */
abstract class ClientEnd implements Attached {
    final Terminal terminal;
    final Seat seat;
    final Client client;
    final OutputLine output;
    final Attachments attachments;
    private boolean over;

    ClientEnd(Terminal terminal, Seat seat, Client client, OutputLine output, Attachments attachments) {
        this.terminal = terminal;
        this.seat = seat;
        this.client = client;
        this.output = output;
        this.attachments = attachments;
    }

    @Override
    public final Terminal terminal() {
        return terminal;
    }

    @Override
    public final Seat seat() {
        return seat;
    }

    /** Leaves the stream of the agent, if there is one; called once, while this is locked. */
    abstract void leaveAgent();

    /** Waits for the agent, so it runs on a thread of its own. */
    final void reach(Consumer<Agent> order) {
        try {
            attachments.reach(terminal, this::isOver, order);
        } catch (BivouacException unreachable) {
            end(
                    new ToClient.Failed(unreachable.code(), unreachable.getMessage()),
                    WebSocketCloseStatus.TRY_AGAIN_LATER);
        }
    }

    final synchronized boolean isOver() {
        return over;
    }

    /** False when it was over before. */
    final synchronized boolean finish() {
        if (over) {
            return false;
        }
        over = true;
        leaveAgent();
        return true;
    }

    @Override
    public final synchronized void misheard(String why) {
        output.mention(new ToClient.Failed(ErrorCode.INVALID_REQUEST, why));
    }

    @Override
    public final void dismiss() {
        endBy(() -> client.close(WebSocketCloseStatus.ENDPOINT_UNAVAILABLE, ""));
    }

    final void end(ToClient last, WebSocketCloseStatus status) {
        endBy(() -> output.add(last, () -> client.close(status, "")));
    }

    final void endAfterOutput(WebSocketCloseStatus status) {
        endBy(() -> output.then(() -> client.close(status, "")));
    }

    private void endBy(Runnable farewell) {
        synchronized (this) {
            if (!finish()) {
                return;
            }
            // Nothing more is passed on, while credit for the last output is still to be read.
            client.goOn();
            farewell.run();
        }
        attachments.left(this);
    }
}
