package io.bivouac.benchmarks;

import java.io.IOException;
import java.util.regex.Pattern;

/** A sandbox in which terminals are opened. */
record TerminalBox(Server server, Connection connection, String sandbox) {
    private static final Pattern PTY = Pattern.compile("pty-[0-9a-z]{26}");

    /** A terminal for this shell line. */
    String pty(String line) throws IOException {
        var made = connection
                .post(path("/pty"), "{\"command\":\"" + line + "\"}")
                .mustBe(201)
                .body();
        var pty = PTY.matcher(made);
        if (!pty.find()) {
            throw new IllegalStateException("no terminal in " + made);
        }
        return pty.group();
    }

    TerminalSocket attach(String pty, String query, String protocol) throws IOException {
        return server.terminal(path("/pty/" + pty + "/ws" + query), protocol);
    }

    /** A client whose keys come back at once. */
    TerminalSocket echoing() throws IOException {
        var socket = attach(pty("stty raw -echo; echo ready; exec cat"), "", TerminalSocket.BINARY);
        while (socket.next()) {
            if (socket.type() == TerminalSocket.OUTPUT && socket.outputContains((byte) 'y')) {
                return socket;
            }
        }
        throw new IOException("the terminal did not start");
    }

    void run(String line) throws IOException {
        connection.post(path("/process/run"), "{\"command\":\"" + line + "\"}").mustBe(200);
    }

    String path(String rest) {
        return Sandboxes.PATH + "/" + sandbox + rest;
    }
}
