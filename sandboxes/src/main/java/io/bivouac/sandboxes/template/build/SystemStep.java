package io.bivouac.sandboxes.template.build;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A minimal system of this machine's own distribution, from the package sources that its apt has. mmdebstrap makes it;
 * where that is not installed, it is fetched for this build alone.
 */
record SystemStep(List<String> packages) implements Step {
    private static final String PROGRAM = "mmdebstrap";

    @Override
    public String title() {
        return "system";
    }

    @Override
    public String recipe() {
        return Distribution.codename() + " " + String.join(",", packages);
    }

    @Override
    public void run(Workbench bench) throws IOException {
        bench.root("An apt system");
        Folders.remove(bench.tree());
        var argv = new ArrayList<String>();
        argv.addAll(program(bench));
        argv.addAll(List.of("--mode=root", "--variant=minbase", "--aptopt=Acquire::Retries \"3\""));
        if (!packages.isEmpty()) {
            argv.add("--include=" + String.join(",", packages));
        }
        argv.add(Distribution.codename());
        argv.add(bench.tree().toString());
        argv.addAll(Distribution.sources(bench));
        bench.machine(argv);
    }

    private static List<String> program(Workbench bench) throws IOException {
        var installed = Path.of("/usr/bin", PROGRAM);
        if (Files.isExecutable(installed)) {
            return List.of(installed.toString());
        }
        var unpacked = bench.scratch().resolve(PROGRAM);
        if (!Files.isExecutable(unpacked.resolve("usr/bin").resolve(PROGRAM))) {
            Files.createDirectories(unpacked);
            bench.machine(List.of(
                    "sh",
                    "-ec",
                    "cd \"$1\" && apt-get -q download " + PROGRAM + " && dpkg-deb -x " + PROGRAM + "_*.deb .",
                    "sh",
                    unpacked.toString()));
        }
        return List.of("perl", unpacked.resolve("usr/bin").resolve(PROGRAM).toString());
    }
}
