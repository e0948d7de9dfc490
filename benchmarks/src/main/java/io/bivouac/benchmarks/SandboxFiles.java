package io.bivouac.benchmarks;

import java.io.IOException;

/** The files of one sandbox, over one connection. Not thread-safe. */
record SandboxFiles(Connection connection, String sandbox) {
    private static final int LARGEST_PIECE = 256 * 1024;

    void upload(String path, long length) throws IOException {
        var piece = new byte[(int) Math.min(length, LARGEST_PIECE)];
        var status = connection
                .upload(sandbox + "/files/content?path=" + path, length, piece)
                .status();
        if (status != 200 && status != 201) {
            throw new IllegalStateException("the upload was answered " + status);
        }
    }

    void download(String path) throws IOException {
        var request = connection.request("GET", sandbox + "/files/content?path=" + path, "");
        if (connection.send(request, (_, _, _) -> {}) != 200) {
            throw new IllegalStateException("the download was refused");
        }
    }

    void unpack(String path, byte[] archive) throws IOException {
        connection
                .upload(sandbox + "/files/archive?path=" + path, archive.length, archive)
                .mustBe(200);
    }

    void list(String path, int limit) throws IOException {
        connection.get(sandbox + "/files?path=" + path + "&limit=" + limit).mustBe(200);
    }

    /** A shell line, to its end. */
    void run(String line) throws IOException {
        connection
                .post(sandbox + "/process/run", "{\"command\":\"" + line + "\"}")
                .mustBe(200);
    }

    /** A shell line whose output comes as a stream. */
    void stream(String line) throws IOException {
        var request =
                connection.request("POST", sandbox + "/process/run", "{\"command\":\"" + line + "\",\"stream\":true}");
        if (connection.send(request, (_, _, _) -> {}) != 200) {
            throw new IllegalStateException("the command was refused");
        }
    }
}
