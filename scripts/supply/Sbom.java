import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;

/**
 * Lists what others wrote and the distribution ships: jars, the agent's crates, the console's and the command line's
 * npm packages. Makes sbom.json (CycloneDX 1.6) and THIRD-PARTY.txt.
 *
 * <p>Arguments: ROOT DISTRIBUTION REPOSITORY. The same sources make the same files: neither has a time or an id in it.
 */
public final class Sbom {
    private static final Pattern CRATE = Pattern.compile("(\\S+) v(\\S+)(?: \\(proc-macro\\))?\\|(.*)");

    private final Path root;
    private final Path repository;
    private final Map<String, Part> parts = new TreeMap<>();

    private record Part(String group, String name, String version, String purl, String sha256, String licence) {}

    private Sbom(Path root, Path repository) {
        this.root = root;
        this.repository = repository;
    }

    public static void main(String[] arguments) throws Exception {
        var distribution = Path.of(arguments[1]);
        var sbom = new Sbom(Path.of(arguments[0]), Path.of(arguments[2]));
        sbom.jars(distribution.resolve("lib"));
        sbom.crates();
        sbom.packages();
        Files.writeString(distribution.resolve("sbom.json"), sbom.json());
        Files.writeString(distribution.resolve("THIRD-PARTY.txt"), sbom.text());
    }

    private void add(Part part) {
        parts.put(part.purl(), part);
    }

    /** A jar is the listed one of its name, or that one with another manifest: the AOT training takes seals off. */
    private void jars(Path folder) throws Exception {
        var byName = new HashMap<String, String>();
        var listed = Checksums.listed(Files.readAllLines(root.resolve(Checksums.LIST)));
        listed.keySet().forEach(path -> byName.put(path.substring(path.lastIndexOf('/') + 1), path));
        for (var jar : files(folder, ".jar")) {
            if (isOurs(jar)) {
                continue;
            }
            var checksum = Checksums.sha256(jar);
            var path = byName.get(jar.getFileName().toString());
            if (path == null
                    || !checksum.equals(listed.get(path))
                            && !contents(jar).equals(contents(repository.resolve(path)))) {
                // The test of the distribution refuses it.
                System.err.println(jar + " is not in " + Checksums.LIST + ". Run scripts/checksums.");
                continue;
            }
            var folders = List.of(path.split("/"));
            var version = folders.get(folders.size() - 2);
            var name = folders.get(folders.size() - 3);
            var group = String.join(".", folders.subList(0, folders.size() - 3));
            var whole = folders.getLast().substring((name + "-" + version).length());
            var classifier = whole.equals(".jar") ? "" : "?classifier=" + whole.substring(1, whole.length() - 4);
            var purl = "pkg:maven/%s/%s@%s%s".formatted(group, name, version, classifier);
            add(new Part(group, name, version, purl, checksum, licence(group, name, version)));
        }
    }

    private static Map<String, Long> contents(Path jar) throws IOException {
        try (var zip = new ZipFile(jar.toFile())) {
            return zip.stream()
                    .filter(entry -> !entry.isDirectory() && !entry.getName().equals("META-INF/MANIFEST.MF"))
                    .collect(Collectors.toMap(entry -> entry.getName() + " " + entry.getSize(), ZipEntry::getCrc));
        }
    }

    private boolean isOurs(Path jar) throws IOException {
        try (var zip = new ZipFile(jar.toFile())) {
            return zip.stream().anyMatch(entry -> entry.getName().startsWith("META-INF/maven/io.bivouac/"));
        }
    }

    /** As the pom says it, or the nearest parent that does. */
    private String licence(String group, String name, String version) throws Exception {
        var pom = repository.resolve(
                "%s/%s/%s/%s-%s.pom".formatted(group.replace('.', '/'), name, version, name, version));
        if (!Files.exists(pom)) {
            return "unknown";
        }
        var project = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(pom.toFile())
                .getDocumentElement();
        var names = children(project, "licenses").stream()
                .flatMap(licences -> children(licences, "license").stream())
                .flatMap(licence -> children(licence, "name").stream())
                .map(text -> text.getTextContent().strip().replaceAll("\\s+", " "))
                .distinct()
                .collect(Collectors.joining(" or "));
        if (!names.isEmpty()) {
            return names;
        }
        for (var parent : children(project, "parent")) {
            return licence(text(parent, "groupId"), text(parent, "artifactId"), text(parent, "version"));
        }
        return "unknown";
    }

    private static List<Element> children(Element element, String name) {
        var found = new ArrayList<Element>();
        for (var node = element.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node instanceof Element child && child.getTagName().equals(name)) {
                found.add(child);
            }
        }
        return found;
    }

    private static String text(Element element, String child) {
        return children(element, child).getFirst().getTextContent().strip();
    }

    /** Linked into the agent, with the standard library; build scripts' and tests' are not. */
    private void crates() throws Exception {
        var rust = run("rustc", "--version").split(" ")[1];
        add(new Part("", "rust-std", rust, "pkg:generic/rust-std@" + rust, null, "MIT OR Apache-2.0"));
        var checksums = crateChecksums();
        run("cargo", "tree", "--locked", "--offline", "--edges", "normal", "--prefix", "none", "--format", "{p}|{l}")
                .lines()
                .map(line -> line.replace(" (*)", ""))
                .distinct()
                .map(CRATE::matcher)
                .filter(crate -> crate.matches() && !crate.group(1).equals("bivouac-agent"))
                .forEach(crate -> {
                    var name = crate.group(1);
                    var version = crate.group(2);
                    add(new Part(
                            "",
                            name,
                            version,
                            "pkg:cargo/%s@%s".formatted(name, version),
                            checksums.get(name + " " + version),
                            crate.group(3).replace("/", " OR ")));
                });
    }

    private String run(String... command) throws Exception {
        var process = new ProcessBuilder(command)
                .directory(root.resolve("agent").toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException(String.join(" ", command) + " failed");
        }
        return said;
    }

    private Map<String, String> crateChecksums() throws IOException {
        var checksums = new HashMap<String, String>();
        var lock = Files.readString(root.resolve("agent/Cargo.lock"));
        var crate = Pattern.compile(
                "name = \"([^\"]+)\"\nversion = \"([^\"]+)\"\nsource = \"[^\"]+\"\nchecksum = \"([0-9a-f]+)\"");
        for (var match = crate.matcher(lock); match.find(); ) {
            checksums.put(match.group(1) + " " + match.group(2), match.group(3));
        }
        return checksums;
    }

    /** Bundled into the command line and the console: whatever their sources and the SDK's import. */
    private void packages() throws IOException {
        var imported = Pattern.compile("(?:from|import) ?\\(?'(@[^'/]+/[^'/]+|[^'./@#][^'/]*)");
        var wanted = new TreeSet<String>();
        for (var folder : List.of("sdk-ts/src", "cli/src", "console/src")) {
            try (var files = Files.walk(root.resolve(folder))) {
                for (var file : files.filter(path -> path.toString().matches(".*\\.tsx?")).toList()) {
                    var match = imported.matcher(Files.readString(file));
                    while (match.find()) {
                        wanted.add(match.group(1));
                    }
                }
            }
        }
        wanted.removeIf(name -> name.startsWith("node:") || name.startsWith("@bivouac/"));
        for (var name : wanted) {
            addPackage(name);
        }
    }

    private void addPackage(String name) throws IOException {
        var manifest = root.resolve("node_modules").resolve(name).resolve("package.json");
        if (!Files.exists(manifest)) {
            // A module of Node.js itself.
            return;
        }
        var text = Files.readString(manifest);
        var version = field(text, "version");
        var purl = "pkg:npm/%s@%s".formatted(name.replace("@", "%40"), version);
        if (parts.containsKey(purl)) {
            return;
        }
        int slash = name.indexOf('/');
        add(new Part(
                slash < 0 ? "" : name.substring(0, slash),
                name.substring(slash + 1),
                version,
                purl,
                null,
                field(text, "license")));
        var dependencies = Pattern.compile("\"dependencies\"\\s*:\\s*\\{([^}]*)}").matcher(text);
        if (dependencies.find()) {
            var each = Pattern.compile("\"([^\"]+)\"\\s*:").matcher(dependencies.group(1));
            while (each.find()) {
                addPackage(each.group(1));
            }
        }
    }

    private static String field(String json, String name) {
        var match = Pattern.compile("\"" + name + "\"\\s*:\\s*\"([^\"]+)\"").matcher(json);
        return match.find() ? match.group(1) : "unknown";
    }

    private static List<Path> files(Path folder, String ending) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(ending)).sorted().toList();
        }
    }

    private String json() {
        return """
                {
                  "bomFormat": "CycloneDX",
                  "specVersion": "1.6",
                  "version": 1,
                  "metadata": {"component": {"type": "application", "bom-ref": "bivouac", "name": "bivouac"}},
                  "components": [
                """
                + parts.values().stream().map(Sbom::component).collect(Collectors.joining(",\n"))
                + "\n  ]\n}\n";
    }

    private static String component(Part part) {
        var fields = new ArrayList<String>();
        fields.add("\"type\": \"library\"");
        fields.add("\"bom-ref\": " + quoted(part.purl()));
        if (!part.group().isEmpty()) {
            fields.add("\"group\": " + quoted(part.group()));
        }
        fields.add("\"name\": " + quoted(part.name()));
        fields.add("\"version\": " + quoted(part.version()));
        if (part.sha256() != null) {
            fields.add("\"hashes\": [{\"alg\": \"SHA-256\", \"content\": " + quoted(part.sha256()) + "}]");
        }
        fields.add("\"licenses\": [{\"license\": {\"name\": " + quoted(part.licence()) + "}}]");
        fields.add("\"purl\": " + quoted(part.purl()));
        return "    {" + String.join(", ", fields) + "}";
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }

    private String text() {
        return "Bivouac ships these works of others, each under its own licence.\n\n"
                + parts.values().stream()
                        .map(part -> "%s %s: %s\n    %s\n"
                                .formatted(
                                        part.group().isEmpty() ? part.name() : part.group() + "/" + part.name(),
                                        part.version(),
                                        part.licence(),
                                        part.purl()))
                        .collect(Collectors.joining());
    }
}
