package io.bivouac.terminalrelay.pty;

import io.bivouac.terminalrelay.permission.ApproverSeats;
import io.bivouac.terminalrelay.socket.Admission;
import io.bivouac.terminalrelay.socket.Admission.Admitted;
import io.bivouac.terminalrelay.socket.TerminalPaths;
import io.bivouac.terminalrelay.socket.Upgrade;
import io.bivouac.terminalrelay.terminal.Attachments;
import io.bivouac.terminalrelay.terminal.ClientFrames;
import io.bivouac.terminalrelay.wire.PtyCodec;
import io.micronaut.http.HttpRequest;
import io.micronaut.websocket.WebSocketSession;
import io.micronaut.websocket.annotation.OnMessage;
import io.micronaut.websocket.annotation.OnOpen;
import io.micronaut.websocket.annotation.ServerWebSocket;

/** A client's way into a PTY. */
@ServerWebSocket(value = TerminalPaths.PTYS + "/{ptyId}/ws", subprotocols = Upgrade.PROTOCOLS)
class PtySocket {
    private final Upgrade upgrade;
    private final Attachments attachments;
    private final ApproverSeats approvers;

    PtySocket(Upgrade upgrade, Attachments attachments, ApproverSeats approvers) {
        this.upgrade = upgrade;
        this.attachments = attachments;
        this.approvers = approvers;
    }

    @OnOpen
    void open(WebSocketSession session, HttpRequest<?> request) {
        var admitted = request.getAttribute(Admission.ADMITTED, Admitted.class).orElseThrow();
        upgrade.open(
                request,
                session,
                admitted.caller(),
                PtyCodec::new,
                (client, codec) -> approvers.join(
                        admitted.terminal(),
                        admitted.caller(),
                        attachments.join(admitted.terminal(), admitted.seat(), client, codec)));
    }

    /** Frames are read before they come here; the bound is what this is for. */
    @OnMessage(maxPayloadLength = ClientFrames.LARGEST)
    void message(byte[] frame) {}
}
