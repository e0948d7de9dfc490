package io.bivouac.sandboxio.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.agentlink.testing.RealAgent;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.agentlink.testing.Wait;
import io.bivouac.sandboxmodel.SandboxId;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole folders, in and out. */
class FileArchivesTest {
    private static TestRelay relay;
    private static SandboxId id;
    private static RealAgent agent;

    @BeforeAll
    static void start() {
        relay = TestRelay.start();
        id = relay.sandbox();
        agent = relay.agent(id);
        Wait.until(() -> files().get("/stat", "/").status() == 200);
    }

    @AfterAll
    static void stop() {
        agent.close();
        relay.close();
    }

    private static FilesOverHttp files() {
        return new FilesOverHttp(relay.url() + "/api/v1/sandboxes/" + id + "/files", TestRelay.KEY);
    }

    private static Path workspace(String name) {
        return agent.workspace().resolve(name);
    }

    private static FilesOverHttp.Answer unpack(String folder, byte[] archive) {
        return files().put("/archive", folder, BodyPublishers.ofByteArray(archive));
    }

    private static Path tree(String name) throws IOException {
        var root = Files.createDirectories(workspace(name + "/inner/" + "long-".repeat(30)));
        Files.writeString(root.resolve("deep"), "deep contents");
        Files.writeString(workspace(name + "/large"), "x".repeat(300_000));
        Files.createSymbolicLink(workspace(name + "/link"), Path.of("large"));
        Files.createDirectories(workspace(name + "/empty"));
        return workspace(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tar", "tar.gz"})
    void aFolderThatIsPackedAndUnpackedIsTheSame(String format) throws Exception {
        var source = tree("source-" + format);
        var query = FilesOverHttp.query("source-" + format) + "&format=" + format;
        var packed = FilesOverHttp.send(files().request("/archive" + query).GET());
        assertThat(packed.status()).isEqualTo(200);

        var unpacked = unpack("copy-" + format, packed.bytes());

        assertThat(unpacked.text()).contains("\"entries\":6");
        var same = new ProcessBuilder(
                        "diff",
                        "-r",
                        "--no-dereference",
                        source.toString(),
                        workspace("copy-" + format).toString())
                .start();
        assertThat(same.waitFor()).isZero();
        // Another program reads it too.
        var archive = Files.write(agent.workspace().resolve("packed-" + format), packed.bytes());
        var tar = new ProcessBuilder("tar", "-tf", archive.toString()).start();
        var listed = new String(tar.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(tar.waitFor()).isZero();
        assertThat(listed).contains("large").contains("deep").contains("empty/");
    }

    @Test
    void aZipHoldsTheSameFiles() throws IOException {
        tree("zipped");
        var query = FilesOverHttp.query("zipped") + "&format=zip";
        var packed = FilesOverHttp.send(files().request("/archive" + query).GET());
        Map<String, Integer> sizes = new HashMap<>();
        try (var zip = new ZipInputStream(new ByteArrayInputStream(packed.bytes()))) {
            for (var entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                sizes.put(entry.getName(), zip.readAllBytes().length);
            }
        }
        assertThat(sizes)
                .containsEntry("large", 300_000)
                .containsEntry("inner/" + "long-".repeat(30) + "/deep", 13)
                .containsEntry("empty/", 0);
        assertThat(packed.header("Content-Disposition").orElseThrow()).contains("zipped.zip");
    }

    /** An entry of a tar as it stands in a file, with nothing checked. */
    static byte[] entry(String name, char type, String target, String contents) {
        var block = new byte[512];
        put(block, 0, name);
        put(block, 100, "0000644\0");
        put(block, 108, "0000000\0");
        put(block, 116, "0000000\0");
        put(block, 124, "%011o\0".formatted(contents.length()));
        put(block, 136, "00000000000\0");
        put(block, 148, "        ");
        block[156] = (byte) type;
        put(block, 157, target);
        put(block, 257, "ustar\00000");
        int sum = 0;
        for (var one : block) {
            sum += one & 0xff;
        }
        put(block, 148, "%06o\0 ".formatted(sum));
        var all = new ByteArrayOutputStream();
        all.writeBytes(block);
        all.writeBytes(contents.getBytes(StandardCharsets.UTF_8));
        all.writeBytes(new byte[(512 - contents.length() % 512) % 512]);
        return all.toByteArray();
    }

    private static void put(byte[] block, int at, String text) {
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        System.arraycopy(bytes, 0, block, at, bytes.length);
    }

    private static byte[] tar(byte[]... entries) {
        var all = new ByteArrayOutputStream();
        for (var entry : entries) {
            all.writeBytes(entry);
        }
        all.writeBytes(new byte[1024]);
        return all.toByteArray();
    }

    private static void refused(byte[] archive, String why) {
        var answer = unpack("jail", archive);
        assertThat(answer.code()).as(answer.text()).isEqualTo(3012);
        assertThat(answer.text()).contains(why);
        assertThat(workspace("escaped")).doesNotExist();
        assertThat(Path.of("/tmp/bivouac-escaped")).doesNotExist();
    }

    @Test
    void noEntryGoesOutOfTheFolder() throws IOException {
        refused(tar(entry("../escaped", '0', "", "x")), "goes up");
        refused(tar(entry("a/../../escaped", '0', "", "x")), "goes up");
        refused(tar(entry("/tmp/bivouac-escaped", '0', "", "x")), "absolute");
        refused(tar(entry("out", '2', "/tmp", ""), entry("out/bivouac-escaped", '0', "", "x")), "link out of");
        refused(tar(entry("up", '2', "..", ""), entry("up/escaped", '0', "", "x")), "link out of");
        refused(tar(entry("hard", '1', "../../../../etc/passwd", "")), "goes up");
        refused(tar(entry("hard", '1', "/etc/passwd", "")), "absolute");
        refused(tar(entry("device", '3', "", "")), "neither");
    }

    @Test
    void noEntryLeadsThroughALinkThatIsThere() throws IOException {
        Files.createDirectories(workspace("linked"));
        Files.createSymbolicLink(workspace("linked/out"), agent.workspace());
        var answer = unpack("linked", tar(entry("out/escaped", '0', "", "x")));
        assertThat(answer.code()).isEqualTo(3012);
        assertThat(workspace("escaped")).doesNotExist();
        // A file replaces a link in its own place, and not what the link leads to.
        Files.writeString(workspace("kept"), "kept");
        Files.createSymbolicLink(workspace("linked/file"), workspace("kept"));
        assertThat(unpack("linked", tar(entry("file", '0', "", "new"))).status())
                .isEqualTo(200);
        assertThat(Files.readString(workspace("kept"))).isEqualTo("kept");
        assertThat(Files.isSymbolicLink(workspace("linked/file"))).isFalse();
    }

    @Test
    void whatIsNoArchiveIsSaidToBeNone() throws IOException {
        assertThat(unpack("none", "no archive at all".repeat(100).getBytes(StandardCharsets.UTF_8))
                        .code())
                .isEqualTo(3012);
        assertThat(unpack("none", new byte[0]).code()).isEqualTo(3012);
        var compressed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(compressed)) {
            gzip.write(tar(entry("whole", '0', "", "x".repeat(5000))));
        }
        assertThat(unpack("none", compressed.toByteArray()).status()).isEqualTo(200);
        var damaged = compressed.toByteArray();
        damaged[damaged.length - 6] ^= 1;
        assertThat(unpack("none", damaged).code()).isEqualTo(3012);
    }
}
