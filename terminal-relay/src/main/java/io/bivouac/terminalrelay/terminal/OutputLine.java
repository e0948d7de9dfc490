package io.bivouac.terminalrelay.terminal;

import io.bivouac.agentlink.CommandStream;
import io.bivouac.terminalrelay.wire.Codec;
import io.bivouac.terminalrelay.wire.ToClient;
import io.micronaut.core.annotation.Nullable;
import java.util.ArrayDeque;

/**
 * What one client is still to hear, in order. The agent is asked for the next message only when the network has
 * taken one, so at most {@link #AHEAD} messages wait here, however slow the client is. Its owner guards it.
 */
final class OutputLine {
    static final int AHEAD = 4;

    private static final long UNLIMITED = Seat.UNLIMITED;

    private final Client client;
    private final Codec codec;
    private final TerminalMetrics metrics;
    private final ArrayDeque<Item> queue = new ArrayDeque<>();
    private boolean limited;
    private long credit;

    /** @param message null for what only follows
     * @param after what follows when the network has taken it */
    private record Item(
            @Nullable ToClient message, @Nullable Runnable after) {}

    OutputLine(Client client, Codec codec, long credit, TerminalMetrics metrics) {
        this.limited = credit != UNLIMITED;
        this.credit = credit;
        this.client = client;
        this.codec = codec;
        this.metrics = metrics;
    }

    /** From the agent, which may send one more for it. */
    void add(ToClient message, CommandStream from) {
        add(message, from::request);
    }

    /** From the relay itself: nothing follows. */
    void add(ToClient message) {
        add(message, () -> {});
    }

    void add(ToClient message, Runnable after) {
        queue.add(new Item(message, after));
        drain();
    }

    /** Follows when all before it was given to the network. */
    void then(Runnable after) {
        queue.add(new Item(null, after));
        drain();
    }

    /** For what is said beside the output, and may be missed by a client that does not listen. */
    boolean mention(ToClient message) {
        if (message instanceof ToClient.Failed failed) {
            client.refused(failed.code() + ": " + failed.message());
        }
        return client.mention(codec.write(message));
    }

    /** For what must be heard and cannot wait for its turn; its sender waits until it is taken before it sends more. */
    void sendBeside(ToClient message, Runnable taken) {
        send(message, taken);
    }

    /** Forgets what was not sent yet: the client wants to hear from elsewhere. */
    void clear() {
        queue.clear();
    }

    /** From the first credit on, output goes only as far as credit reaches. */
    void credit(long bytes) {
        long before = limited ? credit : 0;
        limited = true;
        credit = before > 0 && bytes > Long.MAX_VALUE - before ? Long.MAX_VALUE : before + bytes;
        drain();
    }

    private void drain() {
        while (!queue.isEmpty()) {
            var item = queue.peek();
            if (item.message() == null) {
                queue.remove();
                item.after().run();
            } else if (item.message() instanceof ToClient.Sealed sealed) {
                if (limited && credit <= 0) {
                    return;
                }
                queue.remove();
                sendSealed(sealed, item.after());
            } else if (!(item.message() instanceof ToClient.Output output)) {
                queue.remove();
                send(item.message(), item.after());
            } else if (!limited || output.data().size() <= credit) {
                queue.remove();
                sendOutput(output, item.after());
            } else if (credit <= 0) {
                return;
            } else {
                split(output, item.after());
            }
        }
    }

    private void split(ToClient.Output output, @Nullable Runnable after) {
        int now = (int) credit;
        queue.remove();
        queue.addFirst(new Item(
                new ToClient.Output(
                        output.stderr(), output.offset() + now, output.data().substring(now)),
                after));
        sendOutput(
                new ToClient.Output(
                        output.stderr(), output.offset(), output.data().substring(0, now)),
                null);
    }

    private void sendOutput(ToClient.Output output, @Nullable Runnable after) {
        if (limited) {
            credit -= output.data().size();
        }
        metrics.shown(output.data().size());
        send(output, after);
    }

    /** It cannot be cut: the last one may go beyond the credit, and the next credit pays for that first. */
    private void sendSealed(ToClient.Sealed sealed, @Nullable Runnable after) {
        if (limited) {
            credit -= sealed.data().size();
        }
        metrics.shown(sealed.data().size());
        send(sealed, after);
    }

    private void send(ToClient message, @Nullable Runnable after) {
        client.send(codec.write(message), after == null ? () -> {} : after);
    }
}
