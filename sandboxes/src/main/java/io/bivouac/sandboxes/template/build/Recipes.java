package io.bivouac.sandboxes.template.build;

import io.bivouac.foundation.yaml.YamlFile;
import io.bivouac.sandboxes.template.BuiltTemplates;
import io.bivouac.sandboxes.template.TemplateFolder;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.yaml.snakeyaml.Yaml;

/** Finds recipes: those that come with Bivouac, in files, and of what was built already. */
public final class Recipes {
    private static final List<String> OWN = List.of("code-interpreter");
    private static final int DEEPEST = 8;

    private final TemplateFolder folder;

    public Recipes(TemplateFolder folder) {
        this.folder = folder;
    }

    /** @param what the path of a YAML file, or the name of a recipe that comes with Bivouac or was built before */
    public Recipe find(String what) {
        if (what.endsWith(".yml") || what.endsWith(".yaml")) {
            return ofFile(Path.of(what));
        }
        return named(what)
                .orElseThrow(() -> new BuildFailed("There is no recipe " + what + ". Bivouac has "
                        + String.join(", ", OWN) + "; your own is a YAML file, as in: template build my-tools.yml"));
    }

    /** The recipe after those that it adds to, the first of all at the beginning. */
    List<Recipe> withBases(Recipe recipe) {
        var all = new ArrayList<Recipe>();
        all.add(recipe);
        for (var base = recipe.base(); base.isPresent(); base = all.getFirst().base()) {
            var name = base.get();
            if (all.size() == DEEPEST || all.stream().anyMatch(one -> one.name().equals(name))) {
                throw new BuildFailed(
                        "The base " + name + " leads back to itself, or through more than " + DEEPEST + " recipes.");
            }
            all.addFirst(named(name)
                    .orElseThrow(() -> new BuildFailed("There is no base " + name + "; it can be "
                            + RecipeFile.MINIMAL + ", " + String.join(", ", OWN)
                            + ", or a template that was built here.")));
        }
        return all;
    }

    private Optional<Recipe> named(String name) {
        if (OWN.contains(name)) {
            return Optional.of(own(name));
        }
        var kept = folder.name(Path.of(name).getFileName().toString());
        if (!Files.isRegularFile(kept)) {
            return Optional.empty();
        }
        try (var yaml = Files.newBufferedReader(kept)) {
            var file = new YamlFile(kept.toString());
            var entry = file.map(file.load(yaml), "the file");
            entry.remove(BuiltTemplates.BUILT);
            return Optional.of(RecipeFile.read(new StringReader(new Yaml().dump(entry)), kept.toString(), kept));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static Recipe own(String name) {
        var resource = "/recipes/" + name + ".yml";
        try (var yaml = new InputStreamReader(Recipes.class.getResourceAsStream(resource), StandardCharsets.UTF_8)) {
            return RecipeFile.read(yaml, name + ".yml", Path.of("/"));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private Recipe ofFile(Path path) {
        try (var yaml = Files.newBufferedReader(path)) {
            var recipe =
                    RecipeFile.read(yaml, path.toString(), path.toAbsolutePath().getParent());
            if (OWN.contains(recipe.name())) {
                throw new BuildFailed(path + ": name is " + recipe.name()
                        + ", which is a template of Bivouac's own. Choose another, with base: " + recipe.name() + ".");
            }
            return recipe;
        } catch (IOException unreadable) {
            throw new BuildFailed("The recipe " + path + " cannot be read.", unreadable);
        }
    }
}
