package io.bivouac.launcher;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.core.type.Argument;
import io.micronaut.serde.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is shipped is listed, and what is listed is what is built with. */
class SupplyChainTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path SHIPPED = ServerProcess.DISTRIBUTION;
    private static final ObjectMapper JSON = ObjectMapper.getDefault();

    @TempDir
    private Path folder;

    @Test
    void everyJarIsListedByItsChecksum() throws Exception {
        var listed = components().stream()
                .flatMap(component -> list(component.get("hashes")).stream())
                .map(hash -> map(hash).get("content"))
                .collect(Collectors.toSet());
        try (var jars = Files.list(SHIPPED.resolve("lib"))) {
            var missing = new TreeSet<String>();
            for (var jar : jars.filter(file -> file.toString().endsWith(".jar")).toList()) {
                if (!isOurs(jar) && !listed.contains(sha256(jar))) {
                    missing.add(jar.getFileName().toString());
                }
            }
            assertThat(missing).isEmpty();
        }
    }

    /** The paths of crates' sources stand in the messages of their panics; those of Rust's own library are elsewhere. */
    @Test
    void everyCrateThatTheAgentShowsIsListed() throws IOException {
        var agent = new String(Files.readAllBytes(SHIPPED.resolve("libexec/bivouac-agent")), ISO_8859_1);
        var crates = new TreeSet<String>();
        var path = Pattern.compile("registry/src/[^/]+/([a-z][a-z0-9_-]*)-([0-9]+\\.[0-9]+\\.[0-9]+[a-z0-9.+-]*)/src/")
                .matcher(agent);
        while (path.find()) {
            crates.add("pkg:cargo/" + path.group(1) + "@" + path.group(2));
        }
        assertThat(crates).hasSizeGreaterThan(5);
        assertThat(purls()).containsAll(crates).anyMatch(purl -> purl.startsWith("pkg:generic/rust-std@"));
    }

    @Test
    void everyPackageThatClientsAreMadeOfIsListed() throws IOException {
        assertThat(purls())
                .anyMatch(purl -> purl.startsWith("pkg:npm/ws@"))
                .anyMatch(purl -> purl.startsWith("pkg:npm/%40xterm/xterm@"))
                .anyMatch(purl -> purl.startsWith("pkg:npm/%40xterm/addon-webgl@"))
                .anyMatch(purl -> purl.startsWith("pkg:npm/%40noble/curves@"));
        assertThat(Files.readString(ROOT.resolve("console/package.json"))).doesNotContain("\"*\"");
    }

    @Test
    void everyPartHasItsLicence() throws IOException {
        var licences = Files.readString(SHIPPED.resolve("THIRD-PARTY.txt"));
        assertThat(purls())
                .hasSizeGreaterThan(200)
                .allSatisfy(purl -> assertThat(licences).contains(purl));
        assertThat(licences.lines().filter(line -> line.endsWith(": unknown"))).isEmpty();
    }

    @Test
    void anExchangedArtefactIsRefused() throws Exception {
        var list = Files.readAllLines(ROOT.resolve("scripts/supply/maven.sha256"));
        var artefact = list.get(list.size() / 2).substring(66);
        Files.createDirectories(folder.resolve(artefact).getParent());
        Files.writeString(folder.resolve(artefact), "another one");
        assertThat(verified(ROOT)).contains(artefact + " is not the artefact that scripts/supply/maven.sha256 lists.");
    }

    @Test
    void aDependencyThatIsNotOnTheListIsRefused() throws Exception {
        var project = Files.createDirectories(folder.resolve("project/scripts/supply"))
                .getParent()
                .getParent();
        Files.copy(ROOT.resolve("scripts/supply/maven.sha256"), project.resolve("scripts/supply/maven.sha256"));
        Files.writeString(project.resolve("pom.xml"), "<project><dependencies/></project>");
        assertThat(verified(project)).contains("Run scripts/checksums.");
        assertThat(verified(ROOT)).as("the list is that of the poms").isEmpty();
    }

    private String verified(Path project) throws Exception {
        var process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        ROOT.resolve("scripts/supply/Checksums.java").toString(),
                        "verify",
                        project.toString(),
                        folder.toString())
                .redirectErrorStream(true)
                .start();
        var said = new String(process.getInputStream().readAllBytes(), UTF_8);
        // Other poms are the test's to refuse; an exchanged artefact stops the build itself.
        assertThat(process.waitFor()).as(said).isEqualTo(said.contains("is not the artefact") ? 1 : 0);
        return said;
    }

    private static List<String> purls() throws IOException {
        return components().stream()
                .map(component -> (String) component.get("purl"))
                .toList();
    }

    private static List<Map<String, Object>> components() throws IOException {
        var sbom = JSON.readValue(Files.readString(SHIPPED.resolve("sbom.json")), Argument.of(Object.class));
        return list(map(sbom).get("components")).stream()
                .map(SupplyChainTest::map)
                .toList();
    }

    private static boolean isOurs(Path jar) throws IOException {
        try (var zip = new ZipFile(jar.toFile())) {
            return zip.stream().anyMatch(entry -> entry.getName().startsWith("META-INF/maven/io.bivouac/"));
        }
    }

    private static String sha256(Path file) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object value) {
        return value instanceof Map ? (Map<String, Object>) value : Map.of();
    }

    private static List<?> list(Object value) {
        return value instanceof List<?> list ? list : List.of();
    }
}
