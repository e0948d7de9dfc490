package io.bivouac.sandboxio.egress;

import io.bivouac.sandboxmodel.egress.EgressTarget;
import io.micronaut.core.annotation.Nullable;
import java.nio.charset.StandardCharsets;

/** There will be no connection. The message is a sentence for the program's user; the note is for the audit. */
final class EgressFailed extends Exception {
    private final EgressResult result;
    private final String note;
    private final transient @Nullable Closed closed;

    /**
     * A host that somebody could allow.
     *
     * @param program as it calls itself; empty when it does not
     */
    record Closed(EgressTarget target, String program) {}

    EgressFailed(EgressResult result, String message) {
        this(result, message, message);
    }

    EgressFailed(EgressResult result, String message, String note) {
        this(result, message, note, null);
    }

    /** @param closed the host that could be allowed; null where no list is to blame */
    EgressFailed(EgressResult result, String message, String note, @Nullable Closed closed) {
        super(message);
        this.result = result;
        this.note = note;
        this.closed = closed;
    }

    EgressResult result() {
        return result;
    }

    String note() {
        return note;
    }

    @Nullable Closed closed() {
        return closed;
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
