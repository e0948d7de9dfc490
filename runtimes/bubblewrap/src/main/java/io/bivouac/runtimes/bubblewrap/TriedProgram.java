package io.bivouac.runtimes.bubblewrap;

import io.bivouac.runtimes.bubblewrap.linux.Spawn;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A program that was run to see whether it works here.
 *
 * @param code zero when it did
 * @param said all that it printed
 */
record TriedProgram(int code, String said) {
    private static final int CANNOT_RUN = 127;

    /** @param scratch a folder for its output */
    static TriedProgram run(Path scratch, List<String> argv) {
        try {
            var output = Files.createTempFile(scratch, "check", ".out");
            try {
                int code = Spawn.run(argv, List.of("PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C"), output);
                return new TriedProgram(code, Files.readString(output).strip());
            } finally {
                Files.deleteIfExists(output);
            }
        } catch (RuntimeFailure cannotRun) {
            return new TriedProgram(CANNOT_RUN, cannotRun.getMessage());
        } catch (IOException e) {
            throw new RuntimeFailure("cannot write in " + scratch + ": " + e, e);
        }
    }

    boolean worked() {
        return code == 0;
    }

    String firstLine() {
        return said.lines().findFirst().orElse("it said nothing and ended with " + code);
    }
}
