package io.bivouac.terminalrelay.terminal;

import io.bivouac.sandboxes.error.BivouacException;
import io.bivouac.terminalrelay.wire.Codec;
import io.bivouac.terminalrelay.wire.FromClient;
import io.bivouac.terminalrelay.wire.ToClient;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import java.util.ArrayDeque;

/**
 * Stands in for an attachment while its terminal is being made. The client is not read meanwhile, so only what was
 * read already can come; it waits. Thread-safe.
 */
final class ComingTerminal implements Listening {
    /** Frames of one read of the network. */
    private static final int MOST_WAITING = 256;

    private final Client client;
    private final Codec codec;
    private final ArrayDeque<FromClient> waiting = new ArrayDeque<>();
    private Listening terminal;
    private boolean gone;
    private boolean farewell;

    ComingTerminal(Client client, Codec codec) {
        this.client = client;
        this.codec = codec;
    }

    @Override
    public synchronized void receive(FromClient message) {
        if (terminal != null) {
            terminal.receive(message);
        } else if (waiting.size() < MOST_WAITING) {
            waiting.add(message);
        } else {
            client.close(WebSocketCloseStatus.POLICY_VIOLATION, "too much before the terminal was there");
        }
    }

    @Override
    public synchronized void misheard(String why) {
        if (terminal != null) {
            terminal.misheard(why);
        }
    }

    @Override
    public synchronized void gone(boolean saidSo) {
        gone = true;
        farewell = saidSo;
        if (terminal != null) {
            terminal.gone(saidSo);
        }
    }

    synchronized void came(Listening made) {
        terminal = made;
        waiting.forEach(made::receive);
        waiting.clear();
        if (gone) {
            made.gone(farewell);
        }
    }

    void failed(BivouacException why) {
        client.send(
                codec.write(new ToClient.Failed(why.code(), why.getMessage(), why.details())),
                () -> client.close(WebSocketCloseStatus.NORMAL_CLOSURE, ""));
    }
}
