package io.bivouac.sandboxio.port;

import com.google.protobuf.ByteString;
import io.bivouac.agentlink.CarriedStream;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;

/** Carries bytes both ways between a client on the host and a program in a sandbox, until both have said all. */
final class PortConnection {
    /** How long a client may stay silent after the program has said all; a program that still listens is rare. */
    private static final Duration LONGEST_SILENCE = Duration.ofMinutes(5);

    private final Socket client;
    private final CarriedStream stream;

    PortConnection(Socket client, CarriedStream stream) {
        this.client = client;
        this.stream = stream;
    }

    void carry() throws IOException {
        stream.awaitOpen();
        var sending = Thread.ofVirtual().name("port-sending").start(this::toProgram);
        fromProgram();
        client.shutdownOutput();
        client.setSoTimeout((int) LONGEST_SILENCE.toMillis());
        try {
            sending.join();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void fromProgram() throws IOException {
        var out = client.getOutputStream();
        for (var data = stream.read(); data != null; data = stream.read()) {
            data.writeTo(out);
        }
    }

    /** However the client ends, the program is told: in order, or by the connection's end. */
    private void toProgram() {
        try {
            var in = client.getInputStream();
            var piece = new byte[CarriedStream.LARGEST_WRITE];
            for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
                stream.write(ByteString.copyFrom(piece, 0, count));
            }
            stream.end();
        } catch (IOException broken) {
            stream.close();
        }
    }
}
