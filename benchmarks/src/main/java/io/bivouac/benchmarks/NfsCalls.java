package io.bivouac.benchmarks;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Calls of NFS version 3, one after the other, as a client makes them that writes small files. */
final class NfsCalls implements AutoCloseable {
    private static final int LAST_FRAGMENT = 1 << 31;
    private static final int MOUNT_PROGRAM = 100_005;
    private static final int NFS_PROGRAM = 100_003;
    private static final int MOUNT = 1;
    private static final int WRITE = 7;
    private static final int CREATE = 8;
    private static final int COMMIT = 21;
    private static final int UNCHECKED = 0;
    private static final int UNSTABLE = 0;
    private static final int RIGHTS = 0644;

    private final Socket socket;
    private final DataInputStream in;

    NfsCalls(String host, int port) throws IOException {
        socket = new Socket(host, port);
        socket.setTcpNoDelay(true);
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    }

    /** Writes arguments. */
    private interface Arguments {
        void write(DataOutputStream out) throws IOException;
    }

    byte[] mount(String path) throws IOException {
        var results = call(MOUNT_PROGRAM, MOUNT, out -> opaque(out, path.getBytes(StandardCharsets.UTF_8)));
        return results.readNBytes(results.readInt());
    }

    /** Makes a file, writes it and waits until the server calls it safe. */
    void write(byte[] folder, String name, byte[] data) throws IOException {
        var made = call(NFS_PROGRAM, CREATE, out -> {
            opaque(out, folder);
            opaque(out, name.getBytes(StandardCharsets.UTF_8));
            out.writeInt(UNCHECKED);
            out.writeInt(1);
            out.writeInt(RIGHTS);
            // Neither owner, group, size nor times.
            for (int field = 0; field < 5; field++) {
                out.writeInt(0);
            }
        });
        made.readInt();
        var file = made.readNBytes(made.readInt());
        call(NFS_PROGRAM, WRITE, out -> {
            opaque(out, file);
            out.writeLong(0);
            out.writeInt(data.length);
            out.writeInt(UNSTABLE);
            opaque(out, data);
        });
        call(NFS_PROGRAM, COMMIT, out -> {
            opaque(out, file);
            out.writeLong(0);
            out.writeInt(0);
        });
    }

    /** What follows a good status. */
    private DataInputStream call(int program, int procedure, Arguments arguments) throws IOException {
        var bytes = new ByteArrayOutputStream();
        var out = new DataOutputStream(bytes);
        // A call of RPC version 2, without a credential.
        for (int word : new int[] {1, 0, 2, program, 3, procedure, 0, 0, 0, 0}) {
            out.writeInt(word);
        }
        arguments.write(out);
        var record = new ByteArrayOutputStream();
        new DataOutputStream(record).writeInt(LAST_FRAGMENT | bytes.size());
        bytes.writeTo(record);
        record.writeTo(socket.getOutputStream());
        var answer = in.readNBytes(in.readInt() & ~LAST_FRAGMENT);
        var results = new DataInputStream(new java.io.ByteArrayInputStream(answer));
        for (int word = 0; word < 6; word++) {
            results.readInt();
        }
        int status = results.readInt();
        if (status != 0) {
            throw new IOException("procedure " + procedure + " ended with " + status);
        }
        return results;
    }

    private static void opaque(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
        out.write(new byte[-bytes.length & 3]);
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
