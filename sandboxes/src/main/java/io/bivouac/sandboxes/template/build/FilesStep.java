package io.bivouac.sandboxes.template.build;

import io.bivouac.sandboxmodel.Sha256;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/** A recipe's own files. They are put in place inside the tree, so that a link in it leads nowhere else. */
record FilesStep(List<AddedFile> files) implements Step {
    @Override
    public String title() {
        return "files";
    }

    @Override
    public String recipe() {
        return files.stream()
                .map(file ->
                        file.path() + " " + file.mode() + " " + HexFormat.of().formatHex(Sha256.of(file.content())))
                .collect(Collectors.joining("\n"));
    }

    @Override
    public void run(Workbench bench) throws IOException {
        var part = bench.scratch().resolve("file");
        for (var file : files) {
            Files.write(part, file.content());
            bench.inside(List.of("install", "-D", "-m", file.mode(), "/tmp/file", file.path()));
        }
        Files.deleteIfExists(part);
    }
}
