package io.bivouac.terminalrelay.terminal;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.Attach;
import io.bivouac.agent.v1.Exit;
import io.bivouac.agent.v1.Failure;
import io.bivouac.agent.v1.ProcessDown;
import io.bivouac.agent.v1.ProcessOpened;
import io.bivouac.agent.v1.Screen;
import io.bivouac.agent.v1.Sealed;
import io.bivouac.agentlink.CommandStream;
import io.bivouac.agentlink.SealedListener;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.terminalrelay.sealed.Sealing;
import io.bivouac.terminalrelay.wire.FromClient;
import io.bivouac.terminalrelay.wire.ToClient;
import io.micronaut.core.annotation.Nullable;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import java.util.ArrayDeque;

/**
 * One client of one sealed terminal: what both sides say is passed on unread. When the way to the agent breaks, the
 * client has to come back by itself, since only it can shake hands again. Thread-safe.
 */
final class SealedAttachment implements Attached, SealedListener {
    /** From here on the client's frames are no longer read. */
    private static final int MOST_WAITING = 256 * 1024;

    private final Terminal terminal;
    private final Seat seat;
    private final Client client;
    private final Attachments relay;
    private final OutputLine output;
    private final ArrayDeque<ProcessDown> waiting = new ArrayDeque<>();
    private int waitingCost;
    private @Nullable CommandStream stream;
    private boolean opened;
    private boolean over;

    SealedAttachment(Terminal terminal, Seat seat, Client client, OutputLine output, Attachments relay) {
        this.terminal = terminal;
        this.seat = seat;
        this.client = client;
        this.output = output;
        this.relay = relay;
    }

    /** Finds the agent and attaches; waits for it, so it runs on a thread of its own. */
    void attach() {
        try {
            relay.reach(terminal, this::isOver, agent -> {
                var order = Attach.newBuilder()
                        .setCommandId(terminal.id())
                        .setStdout(true)
                        .setDriver(seat.driver());
                synchronized (this) {
                    if (!over) {
                        stream = agent.attach(order, this);
                    }
                }
            });
        } catch (BivouacException unreachable) {
            end(
                    new ToClient.Failed(unreachable.code(), unreachable.getMessage()),
                    WebSocketCloseStatus.TRY_AGAIN_LATER);
        }
    }

    private synchronized boolean isOver() {
        return over;
    }

    @Override
    public synchronized void receive(FromClient message) {
        // The last output may still wait for credit when there is nothing more to come.
        if (over && !(message instanceof FromClient.Credit)) {
            return;
        }
        switch (message) {
            case FromClient.Sealed sealed -> pass(sealed);
            case FromClient.Credit credit -> output.credit(credit.bytes());
            case FromClient.PermissionResponse _ -> misheard("Permissions are answered elsewhere.");
            case FromClient.Input _,
                    FromClient.EndOfInput _,
                    FromClient.Resize _,
                    FromClient.Signal _,
                    FromClient.Resume _,
                    FromClient.Ping _ -> misheard("This terminal is sealed: it takes sealed frames only.");
        }
    }

    private void pass(FromClient.Sealed sealed) {
        if (sealed.number() < 0 || sealed.data().size() > Sealing.LARGEST_MESSAGE) {
            misheard("A sealed message has at most " + Sealing.LARGEST_MESSAGE + " bytes.");
            return;
        }
        waiting.add(ProcessDown.newBuilder()
                .setSealed(Sealed.newBuilder().setNumber(sealed.number()).setData(sealed.data()))
                .build());
        waitingCost += costOf(sealed.data());
        pump();
        if (waitingCost > MOST_WAITING) {
            client.pause();
        }
    }

    private static int costOf(ByteString data) {
        return data.size() + InputLine.PIECE_COST;
    }

    private void pump() {
        while (opened && !waiting.isEmpty() && stream.trySend(waiting.peek())) {
            waitingCost -= costOf(waiting.remove().getSealed().getData());
        }
        if (waitingCost <= MOST_WAITING) {
            client.goOn();
        }
    }

    @Override
    public synchronized void misheard(String why) {
        output.mention(new ToClient.Failed(ErrorCode.INVALID_REQUEST, why));
    }

    @Override
    public void gone(boolean farewell) {
        if (leave()) {
            relay.left(this);
        }
    }

    @Override
    public void dismiss() {
        end(null, WebSocketCloseStatus.ENDPOINT_UNAVAILABLE);
    }

    private synchronized boolean leave() {
        if (over) {
            return false;
        }
        over = true;
        if (stream != null) {
            stream.detach();
        }
        return true;
    }

    private void end(@Nullable ToClient last, WebSocketCloseStatus status) {
        if (!leave()) {
            return;
        }
        synchronized (this) {
            // Nothing more is passed on, while credit for the last output is still to be read.
            client.goOn();
            if (last == null) {
                output.then(() -> client.close(status, ""));
            } else {
                output.add(last, () -> client.close(status, ""));
            }
        }
        relay.left(this);
    }

    @Override
    public synchronized void opened(CommandStream open, ProcessOpened answer) {
        if (over) {
            open.detach();
            return;
        }
        stream = open;
        opened = answer.getPid() != 0;
        for (int i = 0; i < (opened ? OutputLine.AHEAD : 1); i++) {
            open.request();
        }
        pump();
    }

    @Override
    public synchronized void sealed(Sealed message) {
        if (!over) {
            output.add(new ToClient.Sealed(message.getNumber(), message.getData()), stream);
        }
    }

    @Override
    public synchronized void readyForInput() {
        if (!over) {
            pump();
        }
    }

    /** The client has heard it already, from the agent itself. */
    @Override
    public void exited(Exit exit) {
        relay.run(() -> {
            relay.ended(terminal, exit.getCode());
            end(null, WebSocketCloseStatus.NORMAL_CLOSURE);
        });
    }

    @Override
    public void failed(Failure.Kind kind, String message) {
        relay.run(() -> {
            if (kind == Failure.Kind.NO_SUCH_COMMAND) {
                relay.lost(terminal);
            }
            end(AgentRefusal.told(kind, message), AgentRefusal.closeOf(kind));
        });
    }

    @Override
    public void lost(String why) {
        end(null, WebSocketCloseStatus.TRY_AGAIN_LATER);
    }

    /** A sealed terminal's agent says nothing in the clear. */
    @Override
    public void output(boolean stderr, long offset, ByteString data) {
        misbehaved();
    }

    @Override
    public void gap(boolean stderr, long from, long to) {
        misbehaved();
    }

    @Override
    public void screen(Screen screen) {
        misbehaved();
    }

    @Override
    public void inputApplied(long sequence) {
        misbehaved();
    }

    @Override
    public void resized(int columns, int rows) {
        misbehaved();
    }

    private void misbehaved() {
        end(
                new ToClient.Failed(ErrorCode.PTY_ERROR, "The terminal is not sealed as it should be."),
                WebSocketCloseStatus.INTERNAL_SERVER_ERROR);
    }
}
