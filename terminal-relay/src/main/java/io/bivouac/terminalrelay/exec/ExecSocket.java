package io.bivouac.terminalrelay.exec;

import io.bivouac.sandboxio.command.ProcessSettings;
import io.bivouac.sandboxmodel.SortableId;
import io.bivouac.terminalrelay.exec.ExecAdmission.Admitted;
import io.bivouac.terminalrelay.socket.Upgrade;
import io.bivouac.terminalrelay.terminal.Attachments;
import io.bivouac.terminalrelay.terminal.Client;
import io.bivouac.terminalrelay.terminal.ClientFrames;
import io.bivouac.terminalrelay.terminal.Door;
import io.bivouac.terminalrelay.terminal.Listening;
import io.bivouac.terminalrelay.terminal.Seat;
import io.bivouac.terminalrelay.terminal.TerminalSettings;
import io.bivouac.terminalrelay.terminal.Terminals.Wish;
import io.bivouac.terminalrelay.wire.Codec;
import io.bivouac.terminalrelay.wire.ExecCodec;
import io.micronaut.http.HttpRequest;
import io.micronaut.websocket.WebSocketSession;
import io.micronaut.websocket.annotation.OnMessage;
import io.micronaut.websocket.annotation.OnOpen;
import io.micronaut.websocket.annotation.ServerWebSocket;

/**
 * Interactive exec: a command for each WebSocket, with a terminal or without. It ends with its client; one that
 * speaks the binary protocol may be cut off and come back to it at the PTYs' door.
 */
@ServerWebSocket(value = "/api/v1/sandboxes/{id}/exec/interactive", subprotocols = Upgrade.PROTOCOLS)
class ExecSocket {
    private final Upgrade upgrade;
    private final Attachments attachments;
    private final TerminalSettings settings;
    private final ProcessSettings processes;

    ExecSocket(Upgrade upgrade, Attachments attachments, TerminalSettings settings, ProcessSettings processes) {
        this.upgrade = upgrade;
        this.attachments = attachments;
        this.settings = settings;
        this.processes = processes;
    }

    @OnOpen
    void open(WebSocketSession session, HttpRequest<?> request) {
        var admitted =
                request.getAttribute(ExecAdmission.ADMITTED, Admitted.class).orElseThrow();
        upgrade.open(
                request,
                session,
                admitted.caller(),
                ExecCodec::new,
                (client, codec) -> admitted.tty() ? terminal(admitted, client, codec) : plain(admitted, client, codec));
    }

    private Listening terminal(Admitted admitted, Client client, Codec codec) {
        var wish = new Wish(
                Door.EXEC,
                admitted.agent().sandbox(),
                admitted.order(),
                settings.getLongestTimeout(),
                false,
                false,
                null);
        var seat = Seat.alone(
                admitted.source(), codec.isResumable(), admitted.caller().id());
        return attachments.make(wish, admitted.agent(), admitted.caller(), seat, client, codec);
    }

    private Listening plain(Admitted admitted, Client client, Codec codec) {
        var run = admitted.order()
                .run()
                .setCommandId(SortableId.next("cmd-"))
                .setLingerMillis(processes.getLinger().toMillis());
        return attachments.exec(admitted.agent(), run, client, codec);
    }

    /** Frames are read before they come here; the bound is what this is for. */
    @OnMessage(maxPayloadLength = ClientFrames.LARGEST)
    void message(byte[] frame) {}
}
