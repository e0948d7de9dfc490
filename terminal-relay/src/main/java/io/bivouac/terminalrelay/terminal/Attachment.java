package io.bivouac.terminalrelay.terminal;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.Attach;
import io.bivouac.agent.v1.Exit;
import io.bivouac.agent.v1.Failure;
import io.bivouac.agent.v1.ProcessDown;
import io.bivouac.agent.v1.ProcessOpened;
import io.bivouac.agent.v1.Resize;
import io.bivouac.agent.v1.Screen;
import io.bivouac.agentlink.CommandListener;
import io.bivouac.agentlink.CommandStream;
import io.bivouac.agentlink.MessageBudget;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.terminalrelay.wire.BadFrame;
import io.bivouac.terminalrelay.wire.FromClient;
import io.bivouac.terminalrelay.wire.ToClient;
import io.micronaut.core.annotation.Nullable;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;

/**
 * One client of one terminal: a WebSocket on one side, a stream of the sandbox's agent on the other. When the way
 * to the agent breaks, it is found again and goes on at the same byte; the client need not notice. Thread-safe.
 */
final class Attachment extends ClientEnd {
    /** Each resumption takes a thread and a stream of the agent. */
    private static final int RESUMPTIONS_AT_ONCE = 10;

    private static final double RESUMPTIONS_PER_SECOND = 1;

    private final InputLine input;
    private final MessageBudget resumptions =
            new MessageBudget(RESUMPTIONS_AT_ONCE, RESUMPTIONS_PER_SECOND, System.nanoTime());
    private @Nullable Reading reading;
    private long next;
    private @Nullable ProcessDown resize;

    Attachment(Terminal terminal, Seat seat, Client client, OutputLine output, Attachments attachments) {
        super(terminal, seat, client, output, attachments);
        this.input = new InputLine(seat.isNumbered());
        this.next = seat.from();
    }

    /** Finds the agent and attaches; waits for it, so it runs on a thread of its own. */
    void attach() {
        reach(agent -> {
            var order = Attach.newBuilder()
                    .setCommandId(terminal.id())
                    .setStdout(true)
                    .setDriver(seat.driver())
                    .setInputSource(seat.source());
            synchronized (this) {
                if (isOver()) {
                    return;
                }
                if (next < 0) {
                    order.setScreen(true);
                } else {
                    order.setStdoutOffset(next);
                }
                leaveAgent();
                reading = new Reading();
                reading.stream = agent.attach(order, reading);
            }
        });
    }

    @Override
    void leaveAgent() {
        if (reading != null) {
            reading.leave();
        }
    }

    @Override
    public synchronized void receive(FromClient message) {
        // The last output may still wait for credit when there is nothing more to come.
        if (isOver() && !(message instanceof FromClient.Credit)) {
            return;
        }
        switch (message) {
            case FromClient.Input typed -> type(typed);
            case FromClient.Resize size -> resize(size);
            case FromClient.Signal signal -> signal(signal.number());
            case FromClient.Credit credit -> output.credit(credit.bytes());
            case FromClient.Resume resume -> resume(resume.from());
            case FromClient.Ping _ -> output.mention(new ToClient.Pong());
            case FromClient.Sealed _ -> misheard("This terminal is not sealed.");
            case FromClient.EndOfInput _ -> misheard("A terminal has no end of input; type Ctrl-D.");
            case FromClient.PermissionResponse _ -> misheard("Permissions are answered elsewhere.");
        }
    }

    private void type(FromClient.Input typed) {
        if (!mayDrive()) {
            return;
        }
        try {
            input.add(typed.sequence(), typed.data());
            attachments.metrics().typed(typed.data().size());
        } catch (BadFrame bad) {
            misheard(bad.getMessage());
        }
        pump();
        if (input.isFull()) {
            client.pause();
        }
    }

    private void resize(FromClient.Resize size) {
        if (mayDrive()) {
            resize = ProcessDown.newBuilder()
                    .setResize(Resize.newBuilder().setColumns(size.columns()).setRows(size.rows()))
                    .build();
            pump();
        }
    }

    private void signal(int number) {
        if (mayDrive()
                && (reading == null
                        || !reading.send(
                                ProcessDown.newBuilder().setSignal(number).build()))) {
            misheard("The signal could not be sent right now.");
        }
    }

    private boolean mayDrive() {
        if (!seat.driver()) {
            output.mention(new ToClient.Failed(ErrorCode.FORBIDDEN, "A viewer only looks."));
        }
        return seat.driver();
    }

    private void resume(long from) {
        if (!resumptions.take(System.nanoTime())) {
            output.mention(new ToClient.Failed(ErrorCode.RATE_LIMITED, "Output is asked for again too often."));
            return;
        }
        leaveAgent();
        reading = null;
        output.clear();
        next = from;
        attachments.run(this::attach);
    }

    /** Sends what the agent can take. */
    private void pump() {
        if (reading == null || !reading.opened) {
            return;
        }
        if (resize != null && reading.send(resize)) {
            resize = null;
        }
        for (var piece = input.next(); piece != null; piece = input.next()) {
            if (!reading.send(ProcessDown.newBuilder().setInput(piece).build())) {
                break;
            }
            input.wasSent();
        }
        if (!input.isFull()) {
            client.goOn();
        }
    }

    @Override
    public synchronized boolean tell(ToClient message) {
        return !isOver() && output.mention(message);
    }

    @Override
    public void gone(boolean farewell) {
        if (!finish()) {
            return;
        }
        attachments.left(this);
        if (farewell && seat.endsWithClient() || !seat.mayReturn()) {
            attachments.endLater(terminal);
        }
    }

    /** The terminal's command is over, and so is all of its output. */
    private void exited(Reading heard, int code) {
        var row = attachments.ended(terminal, code);
        synchronized (this) {
            if (!heard.isCurrent()) {
                // Who wants to hear from elsewhere hears the end again after that.
                return;
            }
            if (row != null && row.wasRevoked()) {
                var failed = new ToClient.Failed(ErrorCode.FORBIDDEN, "Access was withdrawn", row.overDetails());
                output.add(failed);
            }
            if (row != null && row.wasCutShort()) {
                output.add(new ToClient.Failed(ErrorCode.SESSION_EXPIRED, row.whyOver(), row.overDetails()));
            }
            end(new ToClient.Exited(code), WebSocketCloseStatus.NORMAL_CLOSURE);
        }
    }

    /** One stream to the agent; after it broke, another one takes its place. */
    private final class Reading implements CommandListener {
        private CommandStream stream;
        private boolean opened;

        boolean send(ProcessDown message) {
            return stream != null && stream.trySend(message);
        }

        void leave() {
            if (stream != null) {
                stream.detach();
            }
        }

        private boolean isCurrent() {
            return reading == this && !isOver();
        }

        @Override
        public boolean readsOn() {
            return false;
        }

        @Override
        public void opened(CommandStream open, ProcessOpened answer) {
            synchronized (Attachment.this) {
                if (!isCurrent()) {
                    open.detach();
                    return;
                }
                stream = open;
                opened = true;
                if (answer.getPid() == 0) {
                    open.request();
                    return;
                }
                output.add(new ToClient.Attached(
                        terminal.id(),
                        seat.role().wireName(),
                        seat.source(),
                        next,
                        answer.getColumns(),
                        answer.getRows(),
                        answer.getInputSequence()));
                try {
                    input.reattached(answer.getInputSequence());
                } catch (BadFrame hole) {
                    misheard(hole.getMessage());
                }
                for (int i = 0; i < OutputLine.AHEAD; i++) {
                    open.request();
                }
                pump();
            }
        }

        @Override
        public void output(boolean stderr, long offset, ByteString data) {
            synchronized (Attachment.this) {
                if (isCurrent()) {
                    next = offset + data.size();
                    output.add(new ToClient.Output(false, offset, data), stream);
                }
            }
        }

        @Override
        public void gap(boolean stderr, long from, long to) {
            synchronized (Attachment.this) {
                if (isCurrent()) {
                    next = to;
                    output.add(new ToClient.Gap(false, from, to), stream);
                }
            }
        }

        @Override
        public boolean screen(Screen screen) {
            synchronized (Attachment.this) {
                if (isCurrent()) {
                    next = screen.getOffset();
                    output.add(
                            new ToClient.Screen(
                                    screen.getOffset(), screen.getData(), screen.getColumns(), screen.getRows()),
                            stream);
                }
            }
            return true;
        }

        @Override
        public boolean resized(int columns, int rows) {
            synchronized (Attachment.this) {
                if (isCurrent()) {
                    output.add(new ToClient.Resized(columns, rows), stream);
                }
            }
            return true;
        }

        @Override
        public boolean inputApplied(long sequence) {
            synchronized (Attachment.this) {
                if (isCurrent()) {
                    input.applied(sequence);
                    pump();
                    output.add(new ToClient.Applied(sequence), stream);
                }
            }
            return true;
        }

        @Override
        public void readyForInput() {
            synchronized (Attachment.this) {
                if (isCurrent()) {
                    pump();
                }
            }
        }

        @Override
        public void exited(Exit exit) {
            attachments.run(() -> Attachment.this.exited(this, exit.getCode()));
        }

        @Override
        public void failed(Failure.Kind kind, String message) {
            attachments.run(() -> {
                if (kind == Failure.Kind.NO_SUCH_COMMAND) {
                    attachments.lost(terminal);
                }
                synchronized (Attachment.this) {
                    if (isCurrent()) {
                        end(AgentRefusal.told(kind, message), AgentRefusal.closeOf(kind));
                    }
                }
            });
        }

        @Override
        public void lost(String why) {
            synchronized (Attachment.this) {
                if (!isCurrent()) {
                    return;
                }
                reading = null;
            }
            attachments.run(Attachment.this::attach);
        }
    }
}
