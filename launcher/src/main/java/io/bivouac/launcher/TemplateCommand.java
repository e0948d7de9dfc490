package io.bivouac.launcher;

import io.bivouac.runtimes.bubblewrap.BubblewrapSettings;
import io.bivouac.runtimes.bubblewrap.disk.Reserve;
import io.bivouac.runtimes.docker.DockerSettings;
import io.bivouac.sandboxes.template.BuiltTemplates;
import io.bivouac.sandboxes.template.TemplateFolder;
import io.bivouac.sandboxes.template.build.BuildTools;
import io.bivouac.sandboxes.template.build.DockerImport;
import io.bivouac.sandboxes.template.build.FreeSpace;
import io.bivouac.sandboxes.template.build.Recipes;
import io.bivouac.sandboxes.template.build.TemplateBuilder;
import io.bivouac.sandboxes.template.build.TemplateStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;

/** {@code bivouac-server template}: templates of a data folder, whether or not its server runs. */
record TemplateCommand(LauncherSettings settings, Progress progress, CommandLine.Template command) {
    void run() {
        var says = new BuildLines(progress, command.json());
        try {
            switch (command.act()) {
                case LIST ->
                    new BuiltTemplates(TemplateFolder.in(settings.dataDir()))
                            .all().values().stream()
                                    .sorted(Comparator.comparing(
                                            built -> built.template().name()))
                                    .forEach(says::listed);
                case BUILD -> build(says);
                case RM -> {
                    try (var store = TemplateStore.open(settings.dataDir(), says::note)) {
                        store.remove(command.what());
                    }
                    says.note("Removed the template " + command.what() + ".");
                }
            }
        } catch (IOException failed) {
            throw new StartRefused(
                    "The data folder %s cannot be used: %s".formatted(settings.dataDir(), failed), failed);
        }
    }

    private void build(BuildLines says) throws IOException {
        var data = settings.dataDir();
        Files.createDirectories(data);
        try (var store = TemplateStore.open(data, says::note)) {
            // Before this build takes a tree from its template, so that creates under way still find that one.
            store.tidy();
            var tools = new BuildTools(bwrap(), new FreeSpace(data, reserve(data)));
            var recipe = new Recipes(store.folder()).find(command.what());
            var hash = new TemplateBuilder(store.folder(), tools, says).build(recipe, command.again());
            var image = settings.runtime().equals("docker")
                    ? Optional.of(new DockerImport(dockerHost())
                            .run(recipe, store.folder().tree(hash), hash))
                    : Optional.<String>empty();
            store.name(recipe, hash, image);
            says.built(new BuiltTemplates(store.folder()).find(recipe.name()).orElseThrow());
        }
    }

    private static Path bwrap() {
        return environment("BIVOUAC_BUBBLEWRAP_BWRAP")
                .map(Path::of)
                .orElse(BubblewrapSettings.defaults().bwrap());
    }

    private static long reserve(Path data) throws IOException {
        var reserve = environment("BIVOUAC_BUBBLEWRAP_DISK_RESERVE")
                .orElse(BubblewrapSettings.defaults().diskReserve());
        return Reserve.parse(reserve).of(Files.getFileStore(data).getTotalSpace());
    }

    private static String dockerHost() {
        return environment("BIVOUAC_DOCKER_HOST").orElse(DockerSettings.DEFAULT_HOST);
    }

    private static Optional<String> environment(String name) {
        return Optional.ofNullable(System.getenv(name)).filter(value -> !value.isBlank());
    }
}
