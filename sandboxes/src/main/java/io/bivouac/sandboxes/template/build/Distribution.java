package io.bivouac.sandboxes.template.build;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** This machine's Debian, or one of its relatives. */
final class Distribution {
    private static final Path RELEASE = Path.of("/etc/os-release");
    private static final String CODENAME = "VERSION_CODENAME=";

    private Distribution() {}

    static String codename() {
        try (var lines = Files.lines(RELEASE)) {
            return lines.filter(line -> line.startsWith(CODENAME))
                    .map(line -> line.substring(CODENAME.length()).replace("\"", ""))
                    .filter(name -> name.matches("[a-z][a-z0-9-]*"))
                    .findFirst()
                    .orElseThrow(() -> new BuildFailed("Templates are built from the packages of Debian or a relative "
                            + "of it; " + RELEASE + " of this machine names none. Build on such a machine, or give "
                            + "a template a folder with an unpacked tree as its root."));
        } catch (IOException unreadable) {
            throw new BuildFailed(RELEASE + " cannot be read, so that the distribution is not known.", unreadable);
        }
    }

    /** Those sources of this machine's apt that belong to its own release, as lines of a sources.list. */
    static List<String> sources(Workbench bench) throws IOException {
        var codename = codename();
        return bench.answer(List.of(
                        "apt-get",
                        "indextargets",
                        "--format",
                        "deb $(SITE) $(RELEASE) $(COMPONENT)",
                        "Created-By: Packages"))
                .lines()
                .filter(line -> line.matches("deb \\S+ " + codename + "(-security|-updates)? \\S+"))
                .distinct()
                .toList();
    }
}
