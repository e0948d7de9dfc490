package io.bivouac.sandboxes.template.build;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs the programs of a build, their output in the build's log, and ends them when the disk fills. */
final class Programs {
    private static final int LOOK_EVERY_MILLIS = 1_000;

    /** Between two lines of output that are shown while a program runs. */
    private static final int SHOW_EVERY = 5;

    private static final int LINES_OF_A_FAILURE = 12;

    private final Path log;
    private final FreeSpace space;
    private final BuildProgress progress;

    Programs(Path log, FreeSpace space, BuildProgress progress) {
        this.log = log;
        this.space = space;
        this.progress = progress;
    }

    void run(String what, List<String> argv, Map<String, String> environment) throws IOException {
        var process = start(argv, environment, ProcessBuilder.Redirect.appendTo(log.toFile()));
        try {
            await(process);
        } finally {
            process.destroyForcibly();
        }
        if (process.exitValue() != 0) {
            throw new BuildFailed("%s ended with %d:%n%s%nAll of its output is in %s."
                    .formatted(what, process.exitValue(), lastLines(), log));
        }
    }

    /** What it prints, which is short. */
    String answer(List<String> argv, Map<String, String> environment) throws IOException {
        var process = start(argv, environment, ProcessBuilder.Redirect.PIPE);
        try (var output = process.getInputStream()) {
            var text = new String(output.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new BuildFailed(argv.getFirst() + " ended with " + process.exitValue() + "; see " + log + ".");
            }
            return text;
        } catch (InterruptedException stopped) {
            throw interrupted();
        } finally {
            process.destroyForcibly();
        }
    }

    private Process start(List<String> argv, Map<String, String> environment, ProcessBuilder.Redirect output)
            throws IOException {
        var builder = new ProcessBuilder(argv)
                .redirectInput(new File("/dev/null"))
                .redirectOutput(output)
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().clear();
        builder.environment().putAll(environment);
        return builder.start();
    }

    private void await(Process process) throws IOException {
        try {
            for (int looks = 1; !process.waitFor(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS); looks++) {
                space.mustBeThere();
                if (looks % SHOW_EVERY == 0) {
                    lines(1).forEach(progress::says);
                }
            }
        } catch (InterruptedException stopped) {
            throw interrupted();
        }
    }

    private static BuildFailed interrupted() {
        Thread.currentThread().interrupt();
        return new BuildFailed("The build was stopped. Build again: it goes on with the step that was interrupted.");
    }

    private String lastLines() throws IOException {
        return String.join("\n", lines(LINES_OF_A_FAILURE));
    }

    private List<String> lines(int most) throws IOException {
        if (!Files.exists(log)) {
            return List.of();
        }
        var all = Folders.tail(log).lines().filter(line -> !line.isBlank()).toList();
        return all.subList(Math.max(0, all.size() - most), all.size());
    }
}
