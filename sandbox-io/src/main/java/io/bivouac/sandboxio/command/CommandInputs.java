package io.bivouac.sandboxio.command;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.ProcessDown;
import io.bivouac.agentlink.CommandStream;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The commands that are typed to while their output is streamed from this server. Thread-safe. */
@Singleton
class CommandInputs {
    private static final int LARGEST_PIECE = 64 * 1024;

    private final Map<Place, CommandStream> open = new ConcurrentHashMap<>();

    record Place(String sandbox, int pid) {}

    void put(Place place, CommandStream stream) {
        open.put(place, stream);
    }

    void remove(Place place, CommandStream stream) {
        open.remove(place, stream);
    }

    void write(Place place, byte[] data) {
        for (int at = 0; at < data.length; at += LARGEST_PIECE) {
            var piece = ByteString.copyFrom(data, at, Math.min(LARGEST_PIECE, data.length - at));
            send(place, ProcessDown.newBuilder().setStdin(piece).build());
        }
    }

    void end(Place place) {
        send(place, ProcessDown.newBuilder().setStdinEnd(true).build());
    }

    private void send(Place place, ProcessDown message) {
        var stream = open.get(place);
        if (stream == null) {
            throw new BivouacException(
                    ErrorCode.COMMAND_NOT_FOUND,
                    "No command with pid " + place.pid() + " is streamed from here with its input open.");
        }
        if (!stream.trySend(message)) {
            throw new BivouacException(ErrorCode.UNAVAILABLE, "The command has not read its input yet; try again.");
        }
    }
}
