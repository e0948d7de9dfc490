package io.bivouac.sandboxes.template.build;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

/** The Go that this machine has, without its tests. */
record GoStep() implements Step {
    private static final String COPY =
            "cd \"$1\" && tar --exclude=testdata --exclude='*_test.go' -cf - bin pkg src lib "
                    + "VERSION go.env | tar -C \"$2\" --no-same-owner -xf -";

    private static final String INSTALL = "rm -rf /usr/local/go; cp -a /tmp/go-root /usr/local/go; "
            + "for name in go gofmt; do ln -sfn ../go/bin/$name /usr/local/bin/$name; done";

    @Override
    public String title() {
        return "Go";
    }

    @Override
    public String recipe() {
        return "the machine's";
    }

    @Override
    public void run(Workbench bench) throws IOException {
        var go = bench.program("go", "apt-get install golang-go, or unpack Go into /usr/local/go");
        var made = bench.scratch().resolve("go-root");
        Folders.remove(made);
        Files.createDirectories(made);
        var root = bench.answer(List.of(go, "env", "GOROOT")).strip();
        bench.machine(List.of("sh", "-ec", COPY, "sh", root, made.toString()));
        bench.inside(List.of("sh", "-ec", INSTALL));
    }
}
