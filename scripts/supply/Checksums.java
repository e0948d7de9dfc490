import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Holds Maven's artefacts against scripts/supply/maven.sha256: libraries, plugins, their poms.
 *
 * <p>verify ROOT REPOSITORY: fails when a file of the local repository is not the one on the list, and says when the
 * poms name other artefacts than they did when the list was made, which a test refuses. Without ranges and snapshots the
 * poms of this project and those on the list decide what Maven resolves, so that nothing unlisted comes in unnoticed.
 *
 * <p>write ROOT REPOSITORY: makes the list from a repository that a build has just filled; see scripts/checksums.
 */
public final class Checksums {
    static final String LIST = "scripts/supply/maven.sha256";

    private static final String NAMED = "# artefacts named by the poms: ";
    private static final Set<String> KINDS = Set.of("jar", "pom", "exe", "zip", "gz");
    private static final String OURS = "io/bivouac/";

    private Checksums() {}

    public static void main(String[] arguments) throws Exception {
        var root = Path.of(arguments[1]);
        var repository = Path.of(arguments[2]);
        switch (arguments[0]) {
            case "verify" -> verify(root, repository);
            case "write" -> write(root, repository);
            default -> throw new IllegalArgumentException("verify or write, not " + arguments[0]);
        }
    }

    private static void verify(Path root, Path repository) throws Exception {
        var lines = Files.readAllLines(root.resolve(LIST));
        var wrong = new ArrayList<String>();
        if (!lines.getFirst().equals(NAMED + named(root))) {
            System.err.println("The poms name other artefacts than " + LIST + " was made for. Run scripts/checksums.");
        }
        listed(lines).entrySet().parallelStream()
                .filter(entry -> Files.exists(repository.resolve(entry.getKey())))
                .filter(entry -> !sha256(repository.resolve(entry.getKey())).equals(entry.getValue()))
                .map(entry -> repository.resolve(entry.getKey()) + " is not the artefact that " + LIST + " lists.")
                .sorted()
                .forEachOrdered(wrong::add);
        if (!wrong.isEmpty()) {
            wrong.forEach(System.err::println);
            System.exit(1);
        }
    }

    private static void write(Path root, Path repository) throws Exception {
        var found = new TreeMap<String, String>();
        try (var files = Files.walk(repository)) {
            files.filter(Files::isRegularFile).forEach(file -> {
                var path = repository.relativize(file).toString();
                if (!path.startsWith(OURS) && KINDS.contains(path.substring(path.lastIndexOf('.') + 1))) {
                    found.put(path, sha256(file));
                }
            });
        }
        var lines = Stream.concat(
                Stream.of(NAMED + named(root)),
                found.entrySet().stream().map(entry -> entry.getValue() + "  " + entry.getKey()));
        Files.write(root.resolve(LIST), (Iterable<String>) lines::iterator);
        System.out.println(found.size() + " artefacts are in " + LIST);
    }

    /** Checksums by paths in a local repository. */
    static Map<String, String> listed(List<String> lines) {
        return lines.stream()
                .filter(line -> !line.startsWith("#"))
                .collect(Collectors.toMap(line -> line.substring(66), line -> line.substring(0, 64)));
    }

    static String sha256(Path file) {
        try (var input = Files.newInputStream(file)) {
            var digest = MessageDigest.getInstance("SHA-256");
            var buffer = new byte[1 << 16];
            for (int read = input.read(buffer); read >= 0; read = input.read(buffer)) {
                digest.update(buffer, 0, read);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** A digest of all coordinates and properties in the poms; other changes of a pom change nothing here. */
    private static String named(Path root) throws Exception {
        var names = new TreeSet<String>();
        var documents = DocumentBuilderFactory.newInstance();
        for (var pom : poms(root)) {
            collect(documents.newDocumentBuilder().parse(pom.toFile()).getDocumentElement(), names);
        }
        var digest = MessageDigest.getInstance("SHA-256");
        return HexFormat.of().formatHex(digest.digest(String.join("\n", names).getBytes(StandardCharsets.UTF_8)));
    }

    /** The root's own and each module's. */
    private static List<Path> poms(Path root) throws IOException {
        try (var files = Files.walk(root, 3)) {
            return files.filter(file -> file.getFileName().toString().equals("pom.xml"))
                    .filter(file -> !root.relativize(file).toString().contains("target/"))
                    .filter(file -> !root.relativize(file).toString().contains("node_modules/"))
                    .sorted()
                    .toList();
        }
    }

    private static void collect(Element element, Set<String> names) {
        for (var child : children(element)) {
            switch (child.getTagName()) {
                case "properties" -> children(child).stream()
                        .filter(property -> property.getTagName().endsWith("version"))
                        .forEach(property ->
                                names.add(property.getTagName() + "=" + property.getTextContent().strip()));
                case "dependency", "plugin", "path", "extension" -> {
                    var coordinates = Stream.of("groupId", "artifactId", "version", "type", "classifier")
                            .map(part -> text(child, part))
                            .collect(Collectors.joining(":"));
                    if (!coordinates.startsWith("io.bivouac:")) {
                        names.add(coordinates);
                    }
                    collect(child, names);
                }
                default -> collect(child, names);
            }
        }
    }

    private static String text(Element element, String child) {
        return children(element).stream()
                .filter(inner -> inner.getTagName().equals(child))
                .map(inner -> inner.getTextContent().strip())
                .findFirst()
                .orElse("");
    }

    private static List<Element> children(Element element) {
        var nodes = element.getChildNodes();
        return IntStream.range(0, nodes.getLength())
                .<Node>mapToObj(nodes::item)
                .filter(Element.class::isInstance)
                .map(Element.class::cast)
                .toList();
    }
}
