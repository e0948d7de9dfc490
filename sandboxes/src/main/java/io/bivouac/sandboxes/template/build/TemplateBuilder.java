package io.bivouac.sandboxes.template.build;

import io.bivouac.sandboxes.template.TemplateFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;

/**
 * Builds a template: goes on with what an earlier build of the same recipe left, else begins with the tree of a build
 * that took the same first steps. Nothing of it is in use before it is complete. Call with the lock held.
 */
public final class TemplateBuilder {
    private final TemplateFolder folder;
    private final Recipes recipes;
    private final BuildTools tools;
    private final BuildProgress progress;

    public TemplateBuilder(TemplateFolder folder, BuildTools tools, BuildProgress progress) {
        this.folder = folder;
        this.recipes = new Recipes(folder);
        this.tools = tools;
        this.progress = progress;
    }

    /**
     * The hash of its tree, which is complete.
     *
     * @param again whether to build anew what is built already, for newer packages
     */
    public String build(Recipe recipe, boolean again) {
        var plan = BuildPlan.of(recipes.withBases(recipe));
        try {
            if (again) {
                // A running sandbox may see the tree that is there: it stays, and is not found again.
                Folders.remove(folder.building(plan.hash()));
            }
            return !again && Files.isDirectory(folder.tree(plan.hash())) ? reuse(plan.hash()) : make(plan, again);
        } catch (IOException failed) {
            throw new BuildFailed("The folder " + folder.path() + " cannot be used: " + failed, failed);
        }
    }

    private String reuse(String hash) {
        progress.note("The same recipe was built before: its tree is used.");
        return hash;
    }

    private String make(BuildPlan plan, boolean again) throws IOException {
        tools.space().mustBeThere();
        var place = folder.building(plan.hash());
        Files.createDirectories(place);
        var bench = new Workbench(place, tools, progress);
        int done = again ? 0 : done(plan, place, bench);
        for (int i = done; i < plan.steps().size(); i++) {
            run(plan, i, bench);
            Files.writeString(
                    steps(place), plan.hashes().get(i) + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
        return finish(plan, place, again);
    }

    private void run(BuildPlan plan, int index, Workbench bench) throws IOException {
        var step = plan.steps().get(index);
        long started = System.nanoTime();
        progress.begins(index + 1, plan.steps().size(), step.title());
        step.run(bench);
        progress.ends(Duration.ofNanos(System.nanoTime() - started));
    }

    /** How many steps need not be taken. */
    private int done(BuildPlan plan, Path place, Workbench bench) throws IOException {
        if (Files.isRegularFile(steps(place))) {
            int taken = common(plan, Files.readAllLines(steps(place)));
            if (taken > 0) {
                progress.note(
                        "Going on after step " + taken + " of " + plan.steps().size() + ", of an earlier build.");
            }
            return taken;
        }
        for (int last = plan.hashes().size() - 1; last >= 0; last--) {
            var before = folder.built(plan.hashes().get(last));
            if (Files.isDirectory(before.resolve("tree"))) {
                progress.note("Beginning with a copy of a tree that was built before.");
                bench.machine(List.of(
                        "cp", "-a", "--reflink=auto", before.resolve("tree").toString(), place.toString()));
                Files.write(steps(place), plan.hashes().subList(0, last + 1));
                return last + 1;
            }
        }
        return 0;
    }

    private static int common(BuildPlan plan, List<String> taken) {
        int same = 0;
        while (same < taken.size()
                && same < plan.hashes().size()
                && taken.get(same).equals(plan.hashes().get(same))) {
            same++;
        }
        return same;
    }

    private String finish(BuildPlan plan, Path place, boolean again) throws IOException {
        Folders.remove(place.resolve("scratch"));
        tools.flush(place);
        var hash = again ? plan.hash() + "-" + Long.toString(System.currentTimeMillis(), 36) : plan.hash();
        Files.createDirectories(folder.allBuilt());
        Files.move(place, folder.built(hash), StandardCopyOption.ATOMIC_MOVE);
        return hash;
    }

    /** The hashes of the steps that were taken. */
    private static Path steps(Path place) {
        return place.resolve("steps");
    }
}
