package io.bivouac.terminalrelay.terminal;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.Exit;
import io.bivouac.agent.v1.Failure;
import io.bivouac.agent.v1.ProcessDown;
import io.bivouac.agent.v1.ProcessOpened;
import io.bivouac.agentlink.CommandListener;
import io.bivouac.agentlink.CommandStream;
import io.bivouac.sandboxio.command.CommandFailures;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.terminalrelay.wire.FromClient;
import io.bivouac.terminalrelay.wire.ToClient;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import java.util.ArrayDeque;

/**
 * A command without a terminal, typed to by one client: its own stdin, stdout and stderr. It ends with its client.
 * Thread-safe.
 */
final class PlainExec implements Listening, CommandListener {
    /**
     * From here on the client's frames are no longer read, its credit among them: a client that numbers its input and
     * keeps no more than this unanswered is never held up by a command that waits for its own output to be read.
     */
    private static final int MOST_WAITING = 512 * 1024;

    private final String commandId;
    private final Client client;
    private final OutputLine output;
    private final TerminalMetrics metrics;
    private final ArrayDeque<Piece> waiting = new ArrayDeque<>();
    private CommandStream stream;
    private int waitingBytes;
    private long passedOn;
    private long told;
    private boolean telling;
    private boolean opened;
    private boolean ended;
    private boolean over;

    /** @param sequence the client's own number, if it has one */
    private record Piece(long sequence, ProcessDown order) {
        static Piece of(long sequence, ByteString data) {
            return new Piece(sequence, ProcessDown.newBuilder().setStdin(data).build());
        }

        int size() {
            return order.getStdin().size();
        }
    }

    PlainExec(String commandId, Client client, OutputLine output, TerminalMetrics metrics) {
        this.commandId = commandId;
        this.client = client;
        this.output = output;
        this.metrics = metrics;
    }

    @Override
    public synchronized void receive(FromClient message) {
        // The last output may still wait for credit when there is nothing more to come.
        if (over && !(message instanceof FromClient.Credit)) {
            return;
        }
        switch (message) {
            case FromClient.Input typed -> type(typed.sequence(), typed.data());
            case FromClient.EndOfInput _ -> endInput();
            case FromClient.Signal signal -> misheard("Only terminals take signals: " + signal.number() + ".");
            case FromClient.Credit credit -> output.credit(credit.bytes());
            case FromClient.Ping _ -> output.mention(new ToClient.Pong());
            case FromClient.Resize _ -> misheard("There is no terminal to resize.");
            case FromClient.Sealed _ -> misheard("This command is not sealed.");
            case FromClient.PermissionResponse _ -> misheard("Permissions are answered elsewhere.");
            case FromClient.Resume _ -> misheard("Only terminals can be resumed.");
        }
    }

    private void type(long sequence, ByteString data) {
        if (ended) {
            misheard("The input was ended before.");
        } else if (data.size() > InputLine.LARGEST_PIECE) {
            misheard("At most " + InputLine.LARGEST_PIECE + " bytes may be typed at once.");
        } else if (!data.isEmpty()) {
            var last = waiting.peekLast();
            // Small ones are put together: otherwise each would take many times its bytes.
            if (last != null && last.size() + data.size() <= InputLine.LARGEST_PIECE) {
                waiting.removeLast();
                waiting.add(Piece.of(sequence, last.order().getStdin().concat(data)));
            } else {
                waiting.add(Piece.of(sequence, data));
            }
            waitingBytes += data.size();
            metrics.typed(data.size());
            pump();
        }
    }

    private void endInput() {
        if (!ended) {
            ended = true;
            waiting.add(new Piece(0, ProcessDown.newBuilder().setStdinEnd(true).build()));
            pump();
        }
    }

    private void pump() {
        while (opened && !waiting.isEmpty() && stream.trySend(waiting.peek().order())) {
            var piece = waiting.remove();
            waitingBytes -= piece.size();
            passedOn = Math.max(passedOn, piece.sequence());
        }
        tell();
        if (waitingBytes > MOST_WAITING) {
            client.pause();
        } else {
            client.goOn();
        }
    }

    /**
     * Tells the client how far its input has gone: beside the output, which may be waiting for credit, and one at a
     * time, however many pieces it was.
     */
    private void tell() {
        if (!telling && !over && passedOn > told) {
            telling = true;
            told = passedOn;
            output.sendBeside(new ToClient.Applied(told), this::wasTold);
        }
    }

    private synchronized void wasTold() {
        telling = false;
        tell();
    }

    @Override
    public synchronized void misheard(String why) {
        output.mention(new ToClient.Failed(ErrorCode.INVALID_REQUEST, why));
    }

    @Override
    public synchronized void gone(boolean farewell) {
        if (!over) {
            over = true;
            metrics.left();
            if (stream != null) {
                stream.stop();
            }
        }
    }

    /** It was ordered; the client may have gone meanwhile. */
    synchronized void ordered(CommandStream running) {
        stream = running;
        if (over) {
            running.stop();
        }
    }

    @Override
    public synchronized void opened(CommandStream open, ProcessOpened answer) {
        stream = open;
        opened = answer.getPid() != 0;
        for (int i = 0; i < OutputLine.AHEAD; i++) {
            open.request();
        }
        pump();
    }

    @Override
    public synchronized void output(boolean stderr, long offset, ByteString data) {
        if (!over) {
            output.add(new ToClient.Output(stderr, offset, data), stream);
        }
    }

    @Override
    public synchronized void gap(boolean stderr, long from, long to) {
        if (!over) {
            output.add(new ToClient.Gap(stderr, from, to), stream);
        }
    }

    @Override
    public synchronized void readyForInput() {
        if (!over) {
            pump();
        }
    }

    @Override
    public void exited(Exit exit) {
        end(new ToClient.Exited(exit.getCode()), WebSocketCloseStatus.NORMAL_CLOSURE);
    }

    @Override
    public void failed(Failure.Kind kind, String message) {
        var refusal = CommandFailures.refused(kind, message, commandId);
        end(new ToClient.Failed(refusal.code(), refusal.getMessage()), WebSocketCloseStatus.NORMAL_CLOSURE);
    }

    @Override
    public void lost(String why) {
        end(new ToClient.Failed(ErrorCode.UNAVAILABLE, why), WebSocketCloseStatus.TRY_AGAIN_LATER);
    }

    synchronized void end(ToClient last, WebSocketCloseStatus status) {
        if (!over) {
            over = true;
            metrics.left();
            // Nothing more is passed on to the command, while credit for the last output is still to be read.
            client.goOn();
            output.add(last, () -> client.close(status, ""));
        }
    }

    @Override
    public synchronized boolean inputApplied(long sequence) {
        stream.request();
        return true;
    }

    @Override
    public synchronized boolean resized(int columns, int rows) {
        stream.request();
        return true;
    }
}
