package io.bivouac.sandboxes.template.build;

import io.bivouac.sandboxes.template.build.BuildTools.Rights;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Where a tree is built, and the ways to run programs there. All of them end when this process does. */
final class Workbench {
    private final Path folder;
    private final BuildTools tools;
    private final Programs programs;

    Workbench(Path folder, BuildTools tools, BuildProgress progress) throws IOException {
        this.folder = folder;
        this.tools = tools;
        this.programs = new Programs(log(), tools.space(), progress);
        Files.createDirectories(scratch());
        Files.createDirectories(scratch().resolve("home"));
    }

    Path tree() {
        return folder.resolve("tree");
    }

    /** For what a step needs on its way; programs in the tree see it as /tmp. */
    Path scratch() {
        return folder.resolve("scratch");
    }

    Path log() {
        return folder.resolve("build.log");
    }

    /** Refuses what an ordinary user cannot do: files of a system belong to several users. */
    void root(String what) {
        if (!System.getProperty("user.name").equals("root")) {
            throw new BuildFailed(what + " can only be built by root. Run the command as root, with BIVOUAC_DATA_DIR"
                    + " set to this server's data folder.");
        }
    }

    /** The path of one of the machine's programs. */
    String program(String name, String howToGet) {
        for (var folder : System.getenv().getOrDefault("PATH", "/usr/bin:/bin").split(":")) {
            var place = Path.of(folder.isEmpty() ? "." : folder, name);
            if (Files.isExecutable(place)) {
                return place.toString();
            }
        }
        throw new BuildFailed("This needs the program " + name + ", which this machine has not: " + howToGet);
    }

    /** A program of the machine, which we or its distribution wrote. */
    void machine(List<String> argv) throws IOException {
        programs.run(argv.getFirst(), tools.onTheMachine(argv), Surroundings.ofTheMachine());
    }

    String answer(List<String> argv) throws IOException {
        return programs.answer(argv, Surroundings.ofTheMachine());
    }

    /** A program of the tree, which may be anybody's: it sees the tree, and the network. */
    void inside(List<String> argv) throws IOException {
        run(argv, Rights.NONE, Surroundings.binds());
    }

    /** A program of the tree's distribution, whose packages give files to several users. */
    void insideAsRoot(List<String> argv) throws IOException {
        run(argv, Rights.OF_A_PACKAGE_MANAGER, Surroundings.bindsOfApt());
    }

    private void run(List<String> argv, Rights rights, List<String> binds) throws IOException {
        var all = new ArrayList<>(
                List.of("--bind", tree().toString(), "/", "--bind", scratch().toString(), "/tmp"));
        all.addAll(binds);
        programs.run(argv.getFirst(), tools.inTree(all, rights, true, argv), Surroundings.ofATree());
    }

    /** As in a sandbox: the tree cannot be written, and there is no network. */
    void asInSandbox(List<String> argv, Map<String, String> envs) throws IOException {
        var environment = new TreeMap<>(Surroundings.ofATree());
        environment.putAll(envs);
        var binds = List.of("--ro-bind", tree().toString(), "/", "--tmpfs", "/tmp", "--dir", "/tmp/home");
        programs.run(argv.getFirst(), tools.inTree(binds, Rights.NONE, false, argv), environment);
    }
}
