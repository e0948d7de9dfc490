package io.bivouac.sandboxes.template.build;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Python packages, for the tree's own Python. They are compiled: a sandbox could not keep what it compiles. */
record PipStep(List<String> packages) implements Step {
    private static final String ALLOW = "rm -f /usr/lib/python3*/EXTERNALLY-MANAGED";

    @Override
    public String title() {
        return "Python packages";
    }

    @Override
    public String recipe() {
        return String.join(" ", packages);
    }

    @Override
    public void run(Workbench bench) throws IOException {
        // The note keeps people from mixing two package managers on a machine that they work on.
        bench.inside(List.of("sh", "-c", ALLOW));
        var argv = new ArrayList<>(List.of(
                "python3",
                "-m",
                "pip",
                "install",
                "--no-cache-dir",
                "--root-user-action=ignore",
                "--progress-bar=off"));
        argv.addAll(packages);
        bench.inside(argv);
    }
}
