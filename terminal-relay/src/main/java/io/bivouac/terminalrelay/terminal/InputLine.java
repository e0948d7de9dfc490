package io.bivouac.terminalrelay.terminal;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.TerminalInput;
import io.bivouac.terminalrelay.wire.BadFrame;
import io.micronaut.core.annotation.Nullable;
import java.util.ArrayDeque;

/**
 * What one client has typed and the agent has not applied yet. When the way to the agent breaks, it is sent again:
 * the agent applies each sequence once. Not thread-safe.
 */
final class InputLine {
    static final int LARGEST_PIECE = 64 * 1024;

    /** What a piece takes beside its bytes: small and empty ones are not for free. */
    static final int PIECE_COST = 64;

    /** On their way to the terminal. */
    private static final int MOST_SENT = 64 * 1024;

    /** From here on the client's frames are no longer read. */
    private static final int MOST_WAITING = 256 * 1024;

    private final boolean numbered;
    private final ArrayDeque<TerminalInput> waiting = new ArrayDeque<>();
    private final ArrayDeque<TerminalInput> sent = new ArrayDeque<>();
    private int waitingCost;
    private int sentCost;
    private long last;
    private boolean anything;

    /** Numbered: by the client, who may come back; else by us. */
    InputLine(boolean numbered) {
        this.numbered = numbered;
    }

    void add(long sequence, ByteString data) throws BadFrame {
        if (data.size() > LARGEST_PIECE) {
            throw new BadFrame("At most " + LARGEST_PIECE + " bytes may be typed at once.");
        }
        if (numbered && anything && sequence <= last) {
            return;
        }
        if (numbered && (sequence < 1 || (anything && sequence != last + 1))) {
            throw new BadFrame("Input " + (last + 1) + " comes next, not " + sequence + ".");
        }
        if (!numbered && data.isEmpty()) {
            return;
        }
        last = numbered ? sequence : last + 1;
        anything = true;
        var piece = TerminalInput.newBuilder().setSequence(last).setData(data).build();
        waiting.add(piece);
        waitingCost += costOf(piece);
    }

    private static int costOf(TerminalInput piece) {
        return piece.getData().size() + PIECE_COST;
    }

    boolean isFull() {
        return waitingCost > MOST_WAITING;
    }

    /** The next to be sent, which stays until it was; null when there is none or enough is on its way. */
    @Nullable TerminalInput next() {
        return sentCost >= MOST_SENT ? null : waiting.peek();
    }

    void wasSent() {
        var piece = waiting.remove();
        waitingCost -= costOf(piece);
        sent.add(piece);
        sentCost += costOf(piece);
    }

    void applied(long sequence) {
        while (!sent.isEmpty() && sent.peek().getSequence() <= sequence) {
            sentCost -= costOf(sent.remove());
        }
    }

    /** A new stream to the agent, which has applied so much; what it has not is sent again. */
    void reattached(long sequence) throws BadFrame {
        applied(sequence);
        while (!sent.isEmpty()) {
            var piece = sent.removeLast();
            waiting.addFirst(piece);
            waitingCost += costOf(piece);
        }
        sentCost = 0;
        while (!waiting.isEmpty() && waiting.peek().getSequence() <= sequence) {
            waitingCost -= costOf(waiting.remove());
        }
        long first = waiting.isEmpty() ? sequence + 1 : waiting.peek().getSequence();
        if (first > sequence + 1) {
            waiting.clear();
            waitingCost = 0;
            last = sequence;
            throw new BadFrame("Input " + (sequence + 1) + " comes next, not " + first + ".");
        }
        if (!anything || last < sequence) {
            last = sequence;
            anything = true;
        }
    }
}
