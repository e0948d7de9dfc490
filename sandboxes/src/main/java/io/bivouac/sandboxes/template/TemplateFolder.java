package io.bivouac.sandboxes.template;

import java.nio.file.Path;

/**
 * The folder of built templates. A tree is made in {@code building} and renamed into {@code built}, under the hash of
 * what it was made from; a file in {@code names} gives a template its tree. So whatever is named is complete.
 */
public record TemplateFolder(Path path) {
    public static TemplateFolder in(Path dataFolder) {
        return new TemplateFolder(dataFolder.toAbsolutePath().resolve("templates"));
    }

    /** Held by the one process that builds or removes. */
    public Path lock() {
        return path.resolve("lock");
    }

    public Path names() {
        return path.resolve("names");
    }

    public Path name(String template) {
        return names().resolve(template + ".yml");
    }

    public Path allBuilt() {
        return path.resolve("built");
    }

    public Path built(String hash) {
        return allBuilt().resolve(hash);
    }

    /** The root of sandboxes. */
    public Path tree(String hash) {
        return built(hash).resolve("tree");
    }

    public Path allBuilding() {
        return path.resolve("building");
    }

    public Path building(String hash) {
        return allBuilding().resolve(hash);
    }
}
