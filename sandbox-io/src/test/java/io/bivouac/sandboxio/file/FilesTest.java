package io.bivouac.sandboxio.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.agentlink.testing.RealAgent;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.agentlink.testing.Wait;
import io.bivouac.foundation.access.ApiKeys;
import io.bivouac.foundation.access.Role;
import io.bivouac.foundation.audit.Audit;
import io.bivouac.foundation.audit.AuditRow;
import io.bivouac.sandboxmodel.SandboxId;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Files over HTTP, at the agent's own relay and at others. */
class FilesTest {
    private static TestRelay one;
    private static TestRelay neighbour;
    private static TestRelay faraway;
    private static SandboxId id;
    private static RealAgent agent;

    enum Where {
        HERE,
        AT_A_RELAY_WITH_THE_SAME_FOLDER,
        AT_A_RELAY_REACHED_BY_TLS;

        FilesOverHttp files() {
            return FilesTest.files(
                    switch (this) {
                        case HERE -> one;
                        case AT_A_RELAY_WITH_THE_SAME_FOLDER -> neighbour;
                        case AT_A_RELAY_REACHED_BY_TLS -> faraway;
                    },
                    TestRelay.KEY);
        }
    }

    @BeforeAll
    static void start() {
        one = TestRelay.start(TestRelay.byTls());
        neighbour = TestRelay.start(one.sockets(), Map.of());
        faraway = TestRelay.start(TestRelay.byTls());
        id = one.sandbox();
        agent = one.agent(id);
        for (var where : Where.values()) {
            Wait.until(() -> where.files().get("/stat", "/").status() == 200);
        }
    }

    @AfterAll
    static void stop() {
        agent.close();
        List.of(faraway, neighbour, one).forEach(TestRelay::close);
    }

    private static FilesOverHttp files(TestRelay relay, String key) {
        return new FilesOverHttp(relay.url() + "/api/v1/sandboxes/" + id + "/files", key);
    }

    private static FilesOverHttp files() {
        return Where.HERE.files();
    }

    private static Path workspace(String name) {
        return agent.workspace().resolve(name);
    }

    private static String key(Role role) {
        return one.bean(ApiKeys.class)
                .make(one.caller(), role.wireName(), role, false)
                .text()
                .value();
    }

    @ParameterizedTest
    @EnumSource
    void aFileOfManyPiecesGoesInAndComesOutAsItWas(Where where) throws IOException {
        var contents = new byte[(5 << 20) + 17];
        new Random(7).nextBytes(contents);
        var name = "pieces-" + where;

        var written = where.files().put(name, BodyPublishers.ofByteArray(contents));

        assertThat(written.status()).isEqualTo(201);
        assertThat(written.json().get("size").getIntValue()).isEqualTo(contents.length);
        assertThat(Arrays.equals(Files.readAllBytes(workspace(name)), contents)).isTrue();
        var read = where.files().get("/content", name);
        assertThat(Arrays.equals(read.bytes(), contents)).isTrue();
        assertThat(read.header("Content-Length")).contains(Integer.toString(contents.length));
        assertThat(read.header("ETag")).isEqualTo(written.header("ETag"));
        assertThat(read.header("Last-Modified")).isPresent();
        assertThat(read.header("X-Content-Type-Options")).contains("nosniff");
    }

    @Test
    void contentsWithoutALengthAreTakenToo() throws IOException {
        var contents = new byte[3 << 20];
        new Random(8).nextBytes(contents);
        var body = BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(contents));
        assertThat(files().put("chunked", body).status()).isEqualTo(201);
        assertThat(Arrays.equals(Files.readAllBytes(workspace("chunked")), contents))
                .isTrue();
    }

    @Test
    void anEmptyFileIsAFile() {
        assertThat(files().put("empty", "").status()).isEqualTo(201);
        var read = files().get("/content", "empty");
        assertThat(read.status()).isEqualTo(200);
        assertThat(read.bytes()).isEmpty();
    }

    @Test
    void aRangeIsAPartOfTheFile() {
        files().put("range", "0123456789");
        var middle = files().get("/content", "range", "Range", "bytes=2-4");
        assertThat(middle.status()).isEqualTo(206);
        assertThat(middle.text()).isEqualTo("234");
        assertThat(middle.header("Content-Range")).contains("bytes 2-4/10");
        assertThat(files().get("/content", "range", "Range", "bytes=7-").text()).isEqualTo("789");
        assertThat(files().get("/content", "range", "Range", "bytes=-3").text()).isEqualTo("789");
        var beyond = files().get("/content", "range", "Range", "bytes=10-");
        assertThat(beyond.status()).isEqualTo(416);
        assertThat(beyond.code()).isEqualTo(3009);
        var other = files().get("/content", "range", "Range", "bytes=2-4", "If-Range", "\"other\"");
        assertThat(other.text()).isEqualTo("0123456789");
    }

    @Test
    void aVersionThatTheClientHasIsNotSentAgain() {
        var etag = files().put("cached", "same").header("ETag").orElseThrow();
        assertThat(files().get("/content", "cached", "If-None-Match", etag).status())
                .isEqualTo(304);
        files().put("cached", "other");
        assertThat(files().get("/content", "cached", "If-None-Match", etag).text())
                .isEqualTo("other");
    }

    @Test
    void aDownloadIsNamedAfterTheFile() {
        files().put("grüße.txt", "x");
        var query = FilesOverHttp.query("grüße.txt") + "&download=true";
        var read = FilesOverHttp.send(files().request("/content" + query).GET());
        assertThat(read.header("Content-Disposition").orElseThrow())
                .contains("attachment")
                .contains("filename*=UTF-8''gr%C3%BC%C3%9Fe.txt");
    }

    @Test
    void conditionsAreChecked() {
        assertThat(files().put("once", "first", "If-None-Match", "*").status()).isEqualTo(201);
        var again = files().put("once", "second", "If-None-Match", "*");
        assertThat(again.status()).isEqualTo(412);
        assertThat(again.code()).isEqualTo(3008);
        var etag = files().get("/content", "once").header("ETag").orElseThrow();
        assertThat(files().put("once", "third", "If-Match", etag).status()).isEqualTo(200);
        assertThat(files().put("once", "fourth", "If-Match", etag).status()).isEqualTo(412);
        assertThat(files().put("not-there", "x", "If-Match", "*").status()).isEqualTo(412);
        assertThat(files().get("/content", "once").text()).isEqualTo("third");
    }

    @Test
    void anUploadInPartsGoesOnWhereItBrokeOff() {
        assertThat(files().put("parts", "01234", "Content-Range", "bytes 0-4/10")
                        .status())
                .isEqualTo(202);
        assertThat(files().get("/stat", "parts").status()).isEqualTo(404);
        var asked = files().put("parts", "", "Content-Range", "bytes */10");
        assertThat(asked.json().get("received").getIntValue()).isEqualTo(5);
        var wrong = files().put("parts", "789", "Content-Range", "bytes 7-9/10");
        assertThat(wrong.status()).isEqualTo(416);
        assertThat(wrong.json().get("details").get("size").getIntValue()).isEqualTo(5);
        assertThat(Where.AT_A_RELAY_REACHED_BY_TLS
                        .files()
                        .put("parts", "56789", "Content-Range", "bytes 5-9/10")
                        .status())
                .isEqualTo(201);
        assertThat(files().get("/content", "parts").text()).isEqualTo("0123456789");
    }

    @Test
    void parentsAreMadeWhenAskedForAndTheModeIsKept() throws IOException {
        assertThat(files().put("deep/er/file", "x").code()).isEqualTo(3001);
        var query = FilesOverHttp.query("deep/er/file") + "&parents=true&mode=0750";
        var put = files().request("/content" + query).PUT(BodyPublishers.ofString("x"));
        assertThat(FilesOverHttp.send(put).json().get("mode").getStringValue()).isEqualTo("0750");
        assertThat(files().put("deep/er/file", "y").json().get("mode").getStringValue())
                .isEqualTo("0750");
        assertThat(Files.readString(workspace("deep/er/file"))).isEqualTo("y");
    }

    @Test
    void aLargeUploadToNowhereIsAnsweredAtOnce() {
        var large = BodyPublishers.ofByteArray(new byte[8 << 20]);
        assertThat(files().put("no/such/folder", large).code()).isEqualTo(3001);
        assertThat(files().get("/stat", "/").status()).isEqualTo(200);
    }

    @ParameterizedTest
    @EnumSource
    void aFolderIsListedInOrderAndPageByPage(Where where) throws IOException {
        var folder = Files.createDirectories(workspace("list-" + where));
        for (int i = 0; i < 25; i++) {
            Files.writeString(folder.resolve("f%02d".formatted(i)), "x".repeat(i));
        }
        Files.createDirectories(folder.resolve("f10d/inner"));
        Files.createSymbolicLink(folder.resolve("link"), Path.of("f01"));
        var names = new ArrayList<String>();
        String cursor = null;
        do {
            var query = FilesOverHttp.query("list-" + where) + "&depth=2&limit=4"
                    + (cursor == null ? "" : "&cursor=" + cursor);
            var page = FilesOverHttp.send(where.files().request(query).GET()).json();
            assertThat(page.get("items").size()).isBetween(1, 4);
            page.get("items")
                    .values()
                    .forEach(item -> names.add(item.get("path").getStringValue()));
            var next = page.get("nextCursor");
            cursor = next == null || next.isNull() ? null : next.getStringValue();
        } while (cursor != null);
        assertThat(names).hasSize(28).isSorted().doesNotHaveDuplicates();
        assertThat(names).contains(folder.toRealPath().resolve("f10d/inner").toString());
    }

    @Test
    void anEntryHasWhatThereIsToKnow() throws IOException {
        files().put("known", "four");
        Files.createSymbolicLink(workspace("to-known"), Path.of("known"));
        var entry = files().get("/stat", "known").json();
        assertThat(entry.get("name").getStringValue()).isEqualTo("known");
        assertThat(entry.get("path").getStringValue())
                .isEqualTo(agent.workspace().toRealPath().resolve("known").toString());
        assertThat(entry.get("type").getStringValue()).isEqualTo("file");
        assertThat(entry.get("size").getIntValue()).isEqualTo(4);
        assertThat(entry.get("mode").getStringValue()).isEqualTo("0644");
        assertThat(entry.get("user").getStringValue()).isEqualTo("root");
        assertThat(entry.get("target")).isNull();
        var link = files().get("/stat", "to-known").json();
        assertThat(link.get("type").getStringValue()).isEqualTo("link");
        assertThat(link.get("target").getStringValue()).isEqualTo("known");
        assertThat(files().get("/content", "to-known").text()).isEqualTo("four");
    }

    @Test
    void foldersAreMadeMovedAndRemoved() throws IOException {
        assertThat(files().post("/folders", "{\"path\":\"a\"}").status()).isEqualTo(201);
        assertThat(files().post("/folders", "{\"path\":\"a\"}").code()).isEqualTo(3002);
        assertThat(files().post("/folders", "{\"path\":\"a/b/c\",\"parents\":true}")
                        .status())
                .isEqualTo(201);
        files().put("a/b/c/file", "x");
        assertThat(files().delete(FilesOverHttp.query("a")).code()).isEqualTo(3010);
        assertThat(files().post("/move", "{\"from\":\"a/b\",\"to\":\"moved\"}").status())
                .isEqualTo(200);
        files().put("in-the-way", "y");
        assertThat(files().post("/move", "{\"from\":\"moved/c/file\",\"to\":\"in-the-way\"}")
                        .code())
                .isEqualTo(3002);
        assertThat(files().post("/move", "{\"from\":\"moved/c/file\",\"to\":\"in-the-way\",\"overwrite\":true}")
                        .status())
                .isEqualTo(200);
        assertThat(Files.readString(workspace("in-the-way"))).isEqualTo("x");
        assertThat(files().delete(FilesOverHttp.query("moved") + "&recursive=true")
                        .status())
                .isEqualTo(204);
        assertThat(workspace("moved")).doesNotExist();
        assertThat(files().delete(FilesOverHttp.query("moved")).code()).isEqualTo(3001);
    }

    @Test
    void modesAreChanged() {
        files().put("mode", "x");
        var changed = files().patch("{\"path\":\"mode\",\"mode\":\"0600\"}");
        assertThat(changed.json().get("mode").getStringValue()).isEqualTo("0600");
        assertThat(files().patch("{\"path\":\"mode\",\"mode\":\"rw\"}").code()).isEqualTo(1003);
        assertThat(files().patch("{\"path\":\"mode\"}").code()).isEqualTo(1003);
    }

    @Test
    void whatAPathLeadsToDecidesTheError() throws IOException {
        Files.createDirectories(workspace("folder"));
        files().put("plain", "x");
        assertThat(files().get("/content", "folder").code()).isEqualTo(3004);
        assertThat(files().get("/content", "plain/below").code()).isEqualTo(3003);
        assertThat(files().get("", "plain").code()).isEqualTo(3003);
        assertThat(files().get("/content", "missing").code()).isEqualTo(3001);
        assertThat(files().get("/content", "/dev/zero").code()).isEqualTo(3011);
        assertThat(files().put("folder", "x").code()).isEqualTo(3004);
        assertThat(files().get("/stat", "").code()).isEqualTo(1003);
    }

    @Test
    void otherBodiesHaveTheirBoundAsBefore() {
        var large = "{\"path\":\"" + "x".repeat(2 << 20) + "\"}";
        assertThat(files().post("/folders", large).code()).isEqualTo(1005);
    }

    @Test
    void viewersLookAndDevelopersChange() {
        files().put("seen", "x");
        var viewer = files(one, key(Role.VIEWER));
        assertThat(viewer.get("/content", "seen").text()).isEqualTo("x");
        assertThat(viewer.get("", ".").status()).isEqualTo(200);
        assertThat(viewer.put("seen", "y").code()).isEqualTo(1002);
        assertThat(viewer.delete(FilesOverHttp.query("seen")).code()).isEqualTo(1002);
        assertThat(files(one, key(Role.DEVELOPER)).put("seen", "y").status()).isEqualTo(200);
    }

    @Test
    void changesAndRefusalsAreWrittenDown() {
        files().put("audited", "x");
        files().get("/content", "/proc/self/environ");
        assertThat(rows("file.write")).anyMatch(row -> row.detail().equals("audited"));
        Wait.until(
                () -> rows("file.refused").stream().anyMatch(row -> row.detail().contains("/proc/self/environ")));
    }

    private static List<AuditRow> rows(String action) {
        return one.bean(Audit.class).list(one.caller().project(), Long.MAX_VALUE, 500).items().stream()
                .filter(row -> row.action().equals(action) && row.subject().equals(id.value()))
                .toList();
    }
}
