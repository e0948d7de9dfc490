package io.bivouac.sandboxes.template.build;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Makes an image of a tree, with the engine's own program. */
public record DockerImport(String host) {
    private static final String IMPORT =
            "set -o pipefail; tar -C \"$1\" --numeric-owner -cf - . | docker --host \"$2\" import"
                    + " --change 'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'"
                    + " --change 'CMD [\"bash\"]' - \"$3\"";

    private static final int SHORT_HASH = 12;

    /** The image's name. Done again, it stands for the same. */
    public String run(Recipe recipe, Path tree, String hash) {
        var name = "bivouac/" + recipe.name().replace(':', '-') + ":" + hash.substring(0, SHORT_HASH);
        var argv = List.of("bash", "-ec", IMPORT, "bash", tree.toString(), host, name);
        try {
            var process = new ProcessBuilder(argv).redirectErrorStream(true).start();
            try (var output = process.getInputStream()) {
                var said = new String(output.readAllBytes(), StandardCharsets.UTF_8).strip();
                if (process.waitFor() != 0) {
                    throw new BuildFailed("The image " + name + " could not be made: " + said
                            + "\nThe tree is there: build again when the engine is.");
                }
                return name;
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException failed) {
            throw new BuildFailed("The image " + name + " could not be made: " + failed.getMessage(), failed);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new BuildFailed("The build was stopped. Build again: its tree is there.", stopped);
        }
    }
}
