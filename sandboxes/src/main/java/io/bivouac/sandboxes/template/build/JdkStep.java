package io.bivouac.sandboxes.template.build;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The JDK that the server runs on, without what only a development machine needs. */
record JdkStep() implements Step {
    private static final String MODULES = "java.se,jdk.charsets,jdk.compiler,jdk.httpserver,jdk.jartool,jdk.jshell,"
            + "jdk.management,jdk.unsupported,jdk.zipfs";

    private static final String INSTALL = "rm -rf /usr/local/lib/jdk; cp -a /tmp/jdk /usr/local/lib/jdk; "
            + "for name in jar java javac jshell; do ln -sfn ../lib/jdk/bin/$name /usr/local/bin/$name; done";

    @Override
    public String title() {
        return "JDK";
    }

    @Override
    public String recipe() {
        return System.getProperty("java.runtime.version") + " " + MODULES;
    }

    @Override
    public void run(Workbench bench) throws IOException {
        var jlink = Path.of(System.getProperty("java.home"), "bin", "jlink");
        if (!Files.isExecutable(jlink)) {
            throw new BuildFailed("The JDK comes from the one that the server runs on, but " + jlink
                    + " is missing: run it with a whole JDK.");
        }
        var made = bench.scratch().resolve("jdk");
        Folders.remove(made);
        bench.machine(List.of(
                jlink.toString(),
                "--add-modules",
                MODULES,
                "--strip-debug",
                "--no-header-files",
                "--no-man-pages",
                "--output",
                made.toString()));
        bench.inside(List.of("sh", "-ec", INSTALL));
    }
}
