package io.bivouac.terminalrelay.terminal;

import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.terminalrelay.wire.Codec;
import io.bivouac.terminalrelay.wire.FromClient;
import io.bivouac.terminalrelay.wire.ToClient;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import java.util.ArrayDeque;
import java.util.function.Consumer;

/**
 * Stands in for an attachment while its terminal is being made. What the client says meanwhile waits, and after the
 * first message the client is not read any more. Thread-safe.
 */
final class ComingTerminal implements Listening {
    private final Client client;
    private final Codec codec;
    private final ArrayDeque<Consumer<Listening>> waiting = new ArrayDeque<>();
    private Listening terminal;
    private boolean gone;
    private boolean farewell;

    ComingTerminal(Client client, Codec codec) {
        this.client = client;
        this.codec = codec;
    }

    @Override
    public void receive(FromClient message) {
        pass(there -> there.receive(message));
    }

    @Override
    public void misheard(String why) {
        pass(there -> there.misheard(why));
    }

    private synchronized void pass(Consumer<Listening> message) {
        if (terminal != null) {
            message.accept(terminal);
        } else {
            waiting.add(message);
            // What was read already still comes, which is one buffer of the network at most.
            client.pause();
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
        waiting.forEach(message -> message.accept(made));
        waiting.clear();
        if (gone) {
            made.gone(farewell);
        }
    }

    void failed(BivouacException why, WebSocketCloseStatus status) {
        client.send(
                codec.write(new ToClient.Failed(why.code(), why.getMessage(), why.details())),
                () -> client.close(status, ""));
    }
}
