package io.bivouac.terminalrelay.recording;

import io.bivouac.foundation.access.Caller;
import io.bivouac.terminalrelay.socket.TerminalPaths;
import io.bivouac.terminalrelay.terminal.Door;
import io.bivouac.terminalrelay.terminal.Terminal;
import io.bivouac.terminalrelay.terminal.Terminals;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.reactivestreams.Publisher;

/** Gives out what a terminal has shown, as asciicast; also while it goes on. */
@Tag(name = "terminals")
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
class DownloadRecording {
    private static final String ASCIICAST = "application/x-asciicast";

    /** Asciicast that only the terminal's owner can open. */
    private static final String SEALED = "application/vnd.bivouac.sealed-recording";

    private final Terminals terminals;
    private final Recordings recordings;

    DownloadRecording(Terminals terminals, Recordings recordings) {
        this.terminals = terminals;
        this.recordings = recordings;
    }

    @Get(TerminalPaths.PTYS + "/{ptyId}/recording")
    @Produces(ASCIICAST)
    @Operation(operationId = "downloadPtyRecording", summary = "Download a PTY's recording")
    HttpResponse<Publisher<byte[]>> ofPty(String id, String ptyId, @Parameter(hidden = true) Caller caller) {
        return download(terminals.getIn(id, ptyId, caller));
    }

    @Get(TerminalPaths.SESSIONS + "/{sessionId}/recording")
    @Produces(ASCIICAST)
    @Operation(operationId = "downloadSessionRecording", summary = "Download a session's recording")
    HttpResponse<Publisher<byte[]>> ofSession(String sessionId, @Parameter(hidden = true) Caller caller) {
        return download(terminals.get(sessionId, Door.SESSION, caller));
    }

    @Get(TerminalPaths.RECORDINGS + "/{terminalId}")
    @Produces(ASCIICAST)
    @Operation(operationId = "downloadRecording", summary = "Download any terminal's recording")
    HttpResponse<Publisher<byte[]>> ofAny(String terminalId, @Parameter(hidden = true) Caller caller) {
        var door = terminalId.startsWith(Door.SESSION.prefix()) ? Door.SESSION : Door.PTY;
        return download(terminals.get(terminalId, door, caller));
    }

    private HttpResponse<Publisher<byte[]>> download(Terminal terminal) {
        var name = terminal.id() + (terminal.sealed() ? ".sealed" : ".cast");
        return HttpResponse.<Publisher<byte[]>>ok(recordings.read(terminal.id()))
                .contentType(terminal.sealed() ? SEALED : ASCIICAST)
                .header("Content-Disposition", "attachment; filename=\"" + name + "\"");
    }
}
