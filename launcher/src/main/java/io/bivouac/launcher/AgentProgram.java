package io.bivouac.launcher;

import static java.nio.file.attribute.PosixFilePermissions.fromString;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.zip.CRC32;

/**
 * The agent's program, copied into the data folder: sandboxes have accounts of their own, which may not reach the
 * place where the server was installed (a home folder, say), and a sandbox that runs keeps its agent when the server
 * is upgraded.
 */
final class AgentProgram {
    /** Set by the start script: the folder of the distribution. */
    private static final String HOME = "bivouac.home";

    private AgentProgram() {}

    static Path installInto(DataFolder data, Optional<Path> chosen) {
        var original = chosen.orElseGet(AgentProgram::fromDistribution);
        try {
            var bytes = Files.readAllBytes(original);
            var folder = Files.createDirectories(data.resolve("agent"));
            Files.setPosixFilePermissions(folder, fromString("rwx--x--x"));
            var installed = folder.resolve("bivouac-agent-" + fingerprint(bytes));
            if (!Files.isExecutable(installed) || Files.size(installed) != bytes.length) {
                var partial = folder.resolve("new");
                Files.write(partial, bytes);
                Files.setPosixFilePermissions(partial, fromString("rwxr-xr-x"));
                Files.move(partial, installed, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            }
            return installed;
        } catch (IOException failed) {
            throw new StartRefused("The agent's program %s cannot be installed into the data folder: %s"
                    .formatted(original, failed.getMessage()));
        }
    }

    static Path fromDistribution() {
        var program = Path.of(System.getProperty(HOME, ".")).resolve("libexec/bivouac-agent");
        if (!Files.isReadable(program)) {
            throw new StartRefused(
                    "The agent's program is not at %s; name it with BIVOUAC_AGENT_BINARY.".formatted(program));
        }
        return program;
    }

    private static String fingerprint(byte[] bytes) {
        var crc = new CRC32();
        crc.update(bytes);
        return Long.toHexString(crc.getValue());
    }
}
