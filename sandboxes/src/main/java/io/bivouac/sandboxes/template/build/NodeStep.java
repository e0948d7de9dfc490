package io.bivouac.sandboxes.template.build;

import java.io.IOException;
import java.util.List;

/** Node with its npm, as npm's registry has them. No script of a package runs on the machine. */
record NodeStep() implements Step {
    private static final String NODE =
            "node-linux-" + (System.getProperty("os.arch").equals("aarch64") ? "arm64" : "x64");
    private static final List<String> PACKAGES = List.of(NODE + "@22", "npm@10");

    private static final String INSTALL = "cd /tmp/node/node_modules; cp " + NODE + "/bin/node /usr/local/bin/node; "
            + "mkdir -p /usr/local/lib/node_modules; cp -a npm /usr/local/lib/node_modules/; "
            + "for name in npm npx; do "
            + "ln -sfn ../lib/node_modules/npm/bin/$name-cli.js /usr/local/bin/$name; done";

    @Override
    public String title() {
        return "Node";
    }

    @Override
    public String recipe() {
        return String.join(" ", PACKAGES);
    }

    @Override
    public void run(Workbench bench) throws IOException {
        var npm = bench.program("npm", "apt-get install npm");
        var fetched = bench.scratch().resolve("node");
        bench.machine(List.of(
                npm,
                "install",
                "--ignore-scripts",
                "--no-audit",
                "--no-fund",
                "--prefix",
                fetched.toString(),
                PACKAGES.get(0),
                PACKAGES.get(1)));
        bench.inside(List.of("sh", "-ec", INSTALL));
    }
}
