package io.bivouac.sandboxes.template.build;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Packages of npm, where every program finds them. */
record NpmStep(List<String> packages) implements Step {
    @Override
    public String title() {
        return "npm packages";
    }

    @Override
    public String recipe() {
        return String.join(" ", packages);
    }

    @Override
    public void run(Workbench bench) throws IOException {
        var argv = new ArrayList<>(
                List.of("npm", "install", "--global", "--prefix", "/usr/local", "--no-audit", "--no-fund"));
        argv.addAll(packages);
        bench.inside(argv);
    }
}
