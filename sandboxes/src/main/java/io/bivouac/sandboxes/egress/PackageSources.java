package io.bivouac.sandboxes.egress;

import io.bivouac.sandboxmodel.egress.EgressRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The package sources that this machine's own tools are configured with. Each tool is asked for its configuration, and
 * where nothing is configured, for what it uses then; no source is written down here. Immutable.
 */
final class PackageSources {
    private static final Logger LOG = LoggerFactory.getLogger(PackageSources.class);

    /** With or without a user before the host. */
    private static final Pattern URL =
            Pattern.compile("(https?)://(?:[^/@\\s'\"<>,|]*@)?(\\[[0-9a-fA-F:.]+]|[A-Za-z0-9_.-]+)(?::([0-9]{1,5}))?");

    private static final Pattern XML_COMMENT = Pattern.compile("<!--.*?-->", Pattern.DOTALL);
    private static final Pattern BLOCKED_MIRROR =
            Pattern.compile("<mirror>(?:(?!</mirror>).)*<blocked>\\s*true\\s*</blocked>.*?</mirror>", Pattern.DOTALL);
    private static final Pattern MAVEN_HOME = Pattern.compile("(?m)^Maven home: (.+)$");
    private static final int MOST_FILES = 64;
    private static final long LARGEST_FILE = 1024 * 1024;

    private static final String PIP_DEFAULTS = "from pip._internal.models.index import PyPI;"
            + " print(PyPI.simple_url, 'https://' + PyPI.file_storage_domain)";

    private final ToolOutput tools;
    private final Map<String, Function<PackageSources, String>> askers = Map.of(
            "pip", PackageSources::pip,
            "npm", PackageSources::npm,
            "apt", PackageSources::apt,
            "cargo", PackageSources::cargo,
            "go", PackageSources::go,
            "maven", PackageSources::maven);

    PackageSources(ToolOutput tools) {
        this.tools = tools;
    }

    List<String> names() {
        return askers.keySet().stream().sorted().toList();
    }

    /** None where the tool is not there, or uses no source. */
    List<EgressRule> of(String name) {
        return rules(askers.get(name).apply(this));
    }

    static List<EgressRule> rules(String text) {
        var urls = URL.matcher(text);
        var rules = new ArrayList<EgressRule>();
        while (urls.find()) {
            var port = urls.group(3) != null ? urls.group(3) : urls.group(1).equals("https") ? "443" : "80";
            try {
                rules.add(EgressRule.parse(urls.group(2) + ":" + port));
            } catch (IllegalArgumentException notAHost) {
                LOG.info("A package source is no host: {}", notAHost.getMessage());
            }
        }
        return rules.stream().distinct().toList();
    }

    private String pip() {
        var configured = tools.of(List.of("python3", "-m", "pip", "config", "list"))
                .lines()
                .filter(line -> line.contains("index-url") || line.contains("find-links"))
                .collect(Collectors.joining("\n"));
        boolean replaced = configured.lines().anyMatch(line -> line.matches("[a-z:]+\\.index-url=.*"));
        return replaced ? configured : configured + "\n" + tools.of(List.of("python3", "-c", PIP_DEFAULTS));
    }

    private String npm() {
        var scopes = tools.of(List.of("npm", "config", "list"))
                .lines()
                .filter(line -> line.contains(":registry"))
                .collect(Collectors.joining("\n"));
        return tools.of(List.of("npm", "config", "get", "registry")) + "\n" + scopes;
    }

    private String apt() {
        return tools.of(List.of("apt-get", "indextargets", "--format", "$(SITE)"));
    }

    /** The index's own folder begins with its host, and its settings say where packages are loaded from. */
    private String cargo() {
        var home = tools.variable("CARGO_HOME").isEmpty()
                ? Path.of(home(), ".cargo")
                : Path.of(tools.variable("CARGO_HOME"));
        var texts = new ArrayList<String>();
        for (var name : List.of("config.toml", "config")) {
            texts.add(text(home.resolve(name))
                    .lines()
                    .filter(line -> line.matches("\\s*(registry|index)\\s*=.*"))
                    .collect(Collectors.joining("\n")));
        }
        for (var index : files(home.resolve("registry/index"))) {
            var name = index.getFileName().toString();
            texts.add("https://" + name.replaceFirst("-[0-9a-f]{16}$", ""));
            texts.add(text(index.resolve("config.json")));
        }
        return String.join("\n", texts);
    }

    private String go() {
        var lines = tools.of(List.of("go", "env", "GOPROXY", "GOSUMDB")).lines().toList();
        if (lines.size() < 2) {
            return "";
        }
        var sums = lines.get(1);
        boolean isName = !sums.contains("://") && !sums.equals("off") && !sums.isBlank();
        return lines.getFirst() + "\n" + (isName ? "https://" + sums.split("[+ ]", 2)[0] : sums);
    }

    /** Mirrors where some are configured, else what the tool's own model begins with. */
    private String maven() {
        var found = MAVEN_HOME.matcher(tools.of(List.of("mvn", "--version")));
        if (!found.find()) {
            return "";
        }
        var program = Path.of(found.group(1).strip());
        var configured = Stream.of(Path.of(home(), ".m2", "settings.xml"), program.resolve("conf/settings.xml"))
                .map(PackageSources::text)
                .map(xml -> XML_COMMENT.matcher(xml).replaceAll(""))
                .map(xml -> BLOCKED_MIRROR.matcher(xml).replaceAll(""))
                .flatMap(String::lines)
                .filter(line -> line.contains("<url>"))
                .collect(Collectors.joining("\n"));
        return configured.isEmpty() ? ownModel(program) : configured;
    }

    private static String ownModel(Path program) {
        var jar = files(program.resolve("lib")).stream()
                .filter(file -> file.getFileName().toString().startsWith("maven-model-builder-"))
                .findFirst();
        if (jar.isEmpty()) {
            return "";
        }
        try (var zip = new ZipFile(jar.get().toFile())) {
            var model = zip.getEntry("org/apache/maven/model/pom-4.0.0.xml");
            if (model == null) {
                return "";
            }
            var xml = new String(zip.getInputStream(model).readNBytes((int) LARGEST_FILE));
            return xml.lines().filter(line -> line.contains("<url>")).collect(Collectors.joining("\n"));
        } catch (IOException unreadable) {
            LOG.info("{} cannot be read: {}", jar.get(), unreadable.getMessage());
            return "";
        }
    }

    private String home() {
        var home = tools.variable("HOME");
        return home.isEmpty() ? System.getProperty("user.home") : home;
    }

    private static List<Path> files(Path folder) {
        try (var all = Files.list(folder)) {
            return all.sorted().limit(MOST_FILES * 4L).toList();
        } catch (IOException none) {
            return List.of();
        }
    }

    private static String text(Path file) {
        try {
            return Files.isRegularFile(file) && Files.size(file) <= LARGEST_FILE ? Files.readString(file) : "";
        } catch (IOException unreadable) {
            LOG.info("{} cannot be read: {}", file, unreadable.getMessage());
            return "";
        }
    }
}
