package io.bivouac.sandboxes.template.build;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Packages of the distribution, added to a tree. */
record AptStep(List<String> packages) implements Step {
    @Override
    public String title() {
        return "apt packages";
    }

    @Override
    public String recipe() {
        return String.join(" ", packages);
    }

    @Override
    public void run(Workbench bench) throws IOException {
        bench.root("Packages of apt");
        bench.insideAsRoot(List.of("dpkg", "--configure", "-a"));
        bench.insideAsRoot(List.of("apt-get", "-q", "update"));
        var argv = new ArrayList<>(List.of("apt-get", "-q", "-y", "--no-install-recommends", "install"));
        argv.addAll(packages);
        bench.insideAsRoot(argv);
        bench.insideAsRoot(List.of("sh", "-c", "apt-get clean && rm -rf /var/lib/apt/lists/*"));
    }
}
