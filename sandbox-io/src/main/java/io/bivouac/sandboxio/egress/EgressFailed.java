package io.bivouac.sandboxio.egress;

import java.nio.charset.StandardCharsets;

/** There will be no connection. The message is a sentence for the program's user; the note is for the audit. */
final class EgressFailed extends Exception {
    private final EgressResult result;
    private final String note;

    EgressFailed(EgressResult result, String message) {
        this(result, message, message);
    }

    EgressFailed(EgressResult result, String message, String note) {
        super(message);
        this.result = result;
        this.note = note;
    }

    EgressResult result() {
        return result;
    }

    String note() {
        return note;
    }

    /** Many programs show the status line and not the text, so it is in both. */
    byte[] answer() {
        var text = "Bivouac: " + getMessage() + "\n";
        var body = text.getBytes(StandardCharsets.UTF_8);
        var head = "HTTP/1.1 " + result.status() + " " + getMessage().split("[.;] ", 2)[0] + "\r\n"
                + "Content-Type: text/plain; charset=utf-8\r\nContent-Length: " + body.length
                + "\r\nConnection: close\r\n\r\n";
        return (head + text).getBytes(StandardCharsets.UTF_8);
    }
}
