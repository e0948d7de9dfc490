package io.bivouac.terminalrelay.terminal;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.Attach;
import io.bivouac.agent.v1.Exit;
import io.bivouac.agent.v1.Failure;
import io.bivouac.agent.v1.ProcessDown;
import io.bivouac.agent.v1.ProcessOpened;
import io.bivouac.agent.v1.Sealed;
import io.bivouac.agentlink.CommandStream;
import io.bivouac.agentlink.SealedListener;
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
final class SealedAttachment extends ClientEnd implements SealedListener {
    /** From here on the client's frames are no longer read. */
    private static final int MOST_WAITING = 256 * 1024;

    private final ArrayDeque<ProcessDown> waiting = new ArrayDeque<>();
    private int waitingCost;
    private @Nullable CommandStream stream;
    private boolean opened;

    SealedAttachment(Terminal terminal, Seat seat, Client client, OutputLine output, Attachments attachments) {
        super(terminal, seat, client, output, attachments);
    }

    /** Finds the agent and attaches; waits for it, so it runs on a thread of its own. */
    void attach() {
        reach(agent -> {
            var order = Attach.newBuilder()
                    .setCommandId(terminal.id())
                    .setStdout(true)
                    .setDriver(seat.driver());
            synchronized (this) {
                if (!isOver()) {
                    stream = agent.attach(order, this);
                }
            }
        });
    }

    @Override
    void leaveAgent() {
        if (stream != null) {
            stream.detach();
        }
    }

    @Override
    public synchronized void receive(FromClient message) {
        // The last output may still wait for credit when there is nothing more to come.
        if (isOver() && !(message instanceof FromClient.Credit)) {
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
    public void gone(boolean farewell) {
        if (finish()) {
            attachments.left(this);
        }
    }

    @Override
    public synchronized void opened(CommandStream open, ProcessOpened answer) {
        if (isOver()) {
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
    public synchronized boolean sealed(Sealed message) {
        if (!isOver()) {
            output.add(new ToClient.Sealed(message.getNumber(), message.getData()), stream);
        }
        return true;
    }

    @Override
    public synchronized void readyForInput() {
        if (!isOver()) {
            pump();
        }
    }

    /** The client has heard it already, from the agent itself. */
    @Override
    public void exited(Exit exit) {
        attachments.run(() -> {
            attachments.ended(terminal, exit.getCode());
            endAfterOutput(WebSocketCloseStatus.NORMAL_CLOSURE);
        });
    }

    @Override
    public void failed(Failure.Kind kind, String message) {
        attachments.run(() -> {
            if (kind == Failure.Kind.NO_SUCH_COMMAND) {
                attachments.lost(terminal);
            }
            end(AgentRefusal.told(kind, message), AgentRefusal.closeOf(kind));
        });
    }

    @Override
    public void lost(String why) {
        endAfterOutput(WebSocketCloseStatus.TRY_AGAIN_LATER);
    }

    @Override
    public void heardInTheClear() {
        end(
                new ToClient.Failed(ErrorCode.PTY_ERROR, "The terminal is not sealed as it should be."),
                WebSocketCloseStatus.INTERNAL_SERVER_ERROR);
    }
}
