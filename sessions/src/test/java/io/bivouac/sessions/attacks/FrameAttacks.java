package io.bivouac.sessions.attacks;

import io.bivouac.agentlink.testing.Http;
import io.bivouac.agentlink.testing.PodHouse;
import io.bivouac.agentlink.testing.Socket;
import io.bivouac.terminalrelay.terminal.ClientFrames;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** What clients say on a terminal's WebSocket and may not. */
final class FrameAttacks {
    private static final String FORBIDDEN = "frame FORBIDDEN";
    private static final String INVALID = "frame INVALID_REQUEST";
    private static final int SEALED = 70;
    private static final int ERROR = 3;
    private static final int KEY_BYTES = 32;

    private FrameAttacks() {}

    static List<Attack> all() {
        return List.of(
                viewer("typing as a viewer", "{\"type\":\"input\",\"data\":\"x\"}"),
                viewer("resizing as a viewer", "{\"type\":\"resize\",\"cols\":1,\"rows\":1}"),
                viewer("a signal as a viewer", "{\"type\":\"signal\",\"signal\":\"SIGKILL\"}"),
                driver("what is no JSON", "}{"),
                driver("a message of no known type", "{\"type\":\"become_root\"}"),
                driver("a size that no terminal has", "{\"type\":\"resize\",\"cols\":100000,\"rows\":1}"),
                driver("a signal that is none", "{\"type\":\"signal\",\"signal\":\"SIGFOO\"}"),
                row("an answer to one's own question", FORBIDDEN, house -> {
                    var question = HookAttacks.question(house);
                    try (var socket = open(TicketAttacks.opened(house, house.guest("bob")))) {
                        return text(
                                socket,
                                "{\"type\":\"permission_response\",\"requestId\":\"" + question
                                        + "\",\"granted\":true}");
                    } finally {
                        house.relay()
                                .http()
                                .post("/api/v1/permissions/" + question + "/answer", Map.of("granted", false));
                    }
                }),
                row("a sealed frame to a clear terminal", INVALID, house -> {
                    var session = made(house);
                    try (var socket = house.relay().http().socket(path(session), Socket.BINARY)) {
                        socket.frame(SEALED, 0, "x");
                        return "frame "
                                + socket.awaitFrame(ERROR).json().get("name").getStringValue();
                    }
                }),
                row("a clear frame to a sealed terminal", INVALID, house -> {
                    var key = new byte[KEY_BYTES];
                    key[0] = 9;
                    var session = made(
                            house,
                            "sealed",
                            true,
                            "publicKey",
                            Base64.getEncoder().encodeToString(key));
                    try (var socket = house.relay().http().socket(path(session))) {
                        return text(socket, "{\"type\":\"input\",\"data\":\"x\"}");
                    }
                }),
                row("a frame without end", "close 1009", house -> {
                    var session = made(house);
                    try (var socket = house.relay().http().socket(path(session))) {
                        socket.trySend("x".repeat(2 * ClientFrames.LARGEST));
                        return "close " + socket.awaitClose();
                    }
                }));
    }

    private static Attack row(String attempt, String answer, Attack.Attempt act) {
        return new Attack("frames", attempt, answer, "frame.refused", act);
    }

    private static Attack viewer(String attempt, String frame) {
        return row(attempt, FORBIDDEN, house -> {
            try (var socket = house.relay().http().socket(path(made(house)) + "?role=viewer")) {
                return text(socket, frame);
            }
        });
    }

    private static Attack driver(String attempt, String frame) {
        return row(attempt, INVALID, house -> {
            try (var socket = house.relay().http().socket(path(made(house)))) {
                return text(socket, frame);
            }
        });
    }

    private static String text(Socket socket, String frame) {
        return "frame " + socket.send(frame).awaitMessage("error").get("code").getStringValue();
    }

    private static Http.Answer made(PodHouse house, Object... more) {
        var session = house.relay().http().post(PodHouse.SESSIONS, house.session(more));
        if (session.status() != 201) {
            throw new AssertionError(session.toString());
        }
        return session;
    }

    private static String path(Http.Answer session) {
        return PodHouse.SESSIONS + "/" + session.text("sessionId") + "/ws";
    }

    private static Socket open(Http.Answer session) {
        return Socket.open(session.text("wsUrl"), Map.of(), "bivouac.json", TicketAttacks.ticket(session));
    }
}
