package io.bivouac.sandboxes.nfs;

import static java.nio.file.attribute.PosixFilePermissions.asFileAttribute;
import static java.nio.file.attribute.PosixFilePermissions.fromString;

import io.micronaut.json.JsonMapper;
import io.micronaut.serde.annotation.Serdeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/**
 * How the NFS process is started.
 *
 * @param prefix what its command line begins with, where the server is not root
 * @param folder its own: configuration, socket, output, and the port that it had last
 */
record NfsCommand(List<String> prefix, Path agent, Path folder, JsonMapper json) {
    /** What the process reads. */
    @Serdeable
    record Configuration(String host, int port, String control, List<String> allow) {}

    Path control() {
        return folder.resolve("control.sock");
    }

    Process start(NfsSettings settings) throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectory(folder, asFileAttribute(fromString("rwx------")));
        }
        var file = folder.resolve("config.json");
        int port = port(settings.getPort());
        Files.write(
                file,
                json.writeValueAsBytes(
                        new Configuration(settings.getHost(), port, control().toString(), settings.getAllow())));
        var words = new ArrayList<>(prefix);
        words.addAll(List.of(agent.toString(), "nfs", "--config", file.toString()));
        return new ProcessBuilder(words).redirectError(output().toFile()).start();
    }

    Path output() {
        return folder.resolve("output");
    }

    /** Mounts outlive a restart only at the port that they know: the one that was found for the wish. */
    private int port(int wished) throws IOException {
        var file = folder.resolve("port");
        if (Files.exists(file)) {
            var words = Files.readString(file).strip().split(" ", -1);
            if (words.length == 2 && words[0].equals(Integer.toString(wished))) {
                return Integer.parseInt(words[1]);
            }
        }
        return wished;
    }

    void keepPort(int wished, int found) throws IOException {
        var part = folder.resolve("port.part");
        Files.writeString(part, wished + " " + found + "\n");
        Files.move(part, folder.resolve("port"), StandardCopyOption.ATOMIC_MOVE);
    }
}
