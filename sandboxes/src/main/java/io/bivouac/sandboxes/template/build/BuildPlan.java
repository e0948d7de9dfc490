package io.bivouac.sandboxes.template.build;

import io.bivouac.sandboxmodel.Sha256;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * The steps of a build, in order.
 *
 * @param hashes for each step one of it and all before it
 */
record BuildPlan(List<Step> steps, List<String> hashes) {
    /** Raised when steps come to make something else of the same recipe. */
    private static final int FORMAT = 1;

    private static final int HASH_LENGTH = 32;

    /** @param recipes each adds to the one before it */
    static BuildPlan of(List<Recipe> recipes) {
        var steps = new ArrayList<Step>();
        steps.add(new SystemStep(recipes.getFirst().packages().apt()));
        recipes.stream()
                .skip(1)
                .forEach(recipe ->
                        packages(recipe.packages().apt()).map(AptStep::new).ifPresent(steps::add));
        for (var recipe : recipes) {
            for (var tool : recipe.tools()) {
                steps.add(
                        switch (tool) {
                            case JDK -> new JdkStep();
                            case NODE -> new NodeStep();
                            case GO -> new GoStep();
                        });
            }
            packages(recipe.packages().pip()).map(PipStep::new).ifPresent(steps::add);
            packages(recipe.packages().npm()).map(NpmStep::new).ifPresent(steps::add);
            packages(recipe.packages().go()).map(GoModulesStep::new).ifPresent(steps::add);
            if (!recipe.files().isEmpty()) {
                steps.add(new FilesStep(recipe.files()));
            }
        }
        var last = recipes.getLast();
        last.ready().map(ready -> new TrialStep(last.template(), ready)).ifPresent(steps::add);
        return new BuildPlan(List.copyOf(steps), hashes(steps));
    }

    private static Optional<List<String>> packages(List<String> names) {
        return names.isEmpty() ? Optional.empty() : Optional.of(names);
    }

    private static List<String> hashes(List<Step> steps) {
        var hashes = new ArrayList<String>();
        var before = "format " + FORMAT;
        for (var step : steps) {
            before = HexFormat.of()
                    .formatHex(Sha256.of(before + "\n" + step.title() + "\n" + step.recipe()))
                    .substring(0, HASH_LENGTH);
            hashes.add(before);
        }
        return List.copyOf(hashes);
    }

    /** The tree's name: of all steps that make something of it. */
    String hash() {
        int last = steps.size() - 1;
        return hashes.get(steps.get(last).changesNothing() ? last - 1 : last);
    }
}
