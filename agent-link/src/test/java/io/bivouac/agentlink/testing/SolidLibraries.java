package io.bivouac.agentlink.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The published Solid server, client and verifier, installed once into the build's folder. */
public final class SolidLibraries {
    private static final Path FOLDER = Path.of("target/solid").toAbsolutePath();
    private static final List<String> PACKAGES = List.of(
            "@solid/community-server@7.2.0",
            "@inrupt/solid-client-authn-node@4.0.0",
            "@solid/access-token-verifier@2.1.1");
    private static final int LONGEST_INSTALL_SECONDS = 480;
    private static final int LONGEST_RUN_SECONDS = 120;

    private SolidLibraries() {}

    static synchronized Path folder() throws IOException, InterruptedException {
        var done = FOLDER.resolve("installed");
        var wanted = String.join("\n", PACKAGES);
        if (Files.exists(done) && Files.readString(done).equals(wanted)) {
            return FOLDER;
        }
        Files.createDirectories(FOLDER);
        var command = new ArrayList<>(List.of(
                "npm",
                "install",
                "--no-save",
                "--no-audit",
                "--no-fund",
                "--ignore-scripts",
                "--prefix",
                FOLDER.toString()));
        command.addAll(PACKAGES);
        var log = FOLDER.resolve("install.log");
        var process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        if (!process.waitFor(LONGEST_INSTALL_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new AssertionError("could not install by " + command + ":\n" + Files.readString(log));
        }
        Files.writeString(done, wanted);
        return FOLDER;
    }

    /** For whoever cannot wait for it later. */
    public static void install() throws IOException, InterruptedException {
        folder();
    }

    /** Runs one of our scripts beside the libraries; gives the last line that it says. */
    public static String run(String script, String input, String... arguments)
            throws IOException, InterruptedException {
        var here = folder().resolve(script);
        try (var source = SolidLibraries.class.getResourceAsStream("/solid/" + script)) {
            Files.copy(source, here, StandardCopyOption.REPLACE_EXISTING);
        }
        var command = new ArrayList<>(List.of("node", here.toString()));
        command.addAll(List.of(arguments));
        var errors = Files.createTempFile(FOLDER, script, ".log");
        var process = new ProcessBuilder(command)
                .directory(FOLDER.toFile())
                .redirectError(errors.toFile())
                .start();
        try (var stdin = process.getOutputStream()) {
            stdin.write(input.getBytes(StandardCharsets.UTF_8));
        }
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (!process.waitFor(LONGEST_RUN_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new AssertionError(script + " failed:\n" + said + "\n" + Files.readString(errors));
        }
        Files.delete(errors);
        return said.substring(said.lastIndexOf('\n') + 1);
    }
}
