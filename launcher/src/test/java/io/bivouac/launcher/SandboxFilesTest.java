package io.bivouac.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Files of real sandboxes on bubblewrap, over HTTP: whose they are, and a disk that is full. */
class SandboxFilesTest {
    private static final String SMALL_DISK =
            "{\"template\": \"default\", \"resources\": {\"disk\": \"64m\"}, \"timeoutSeconds\": 600}";

    /** More than what is left when the disk is full, and less than what a request may have. */
    private static final int LARGE = 512 << 10;

    @Test
    void whatIsUploadedBelongsToTheSandboxAndAFullDiskKeepsTheOldFile() throws Exception {
        try (var site = CrashSite.open(Map.of("BIVOUAC_WARM_SANDBOXES", "0"))) {
            var api = site.api();
            var id = Api.text(Api.expect(201, api.send("POST", "/api/v1/sandboxes", SMALL_DISK)), "id");
            var contents = "/api/v1/sandboxes/" + id + "/files/content?path=";

            Api.expect(201, api.send("PUT", contents + "/workspace/mine", "old"));
            Api.expect(201, api.send("PUT", contents + "/workspace/roots&user=root", "old"));
            assertThat(inside(api, id, "cd /workspace; stat -c '%n %u' mine roots; echo more >> mine; cat mine"))
                    .isEqualTo("mine 1000\nroots 0\noldmore\n");
            assertThat(inside(api, id, "cd /workspace; echo more >> roots || echo refused"))
                    .contains("refused");
            Api.expect(403, api.send("PUT", contents + "/etc/passwd", "mine"));

            // By root, who may also take what a file system keeps for root.
            Api.expect(
                    200,
                    api.run(id, "cat /dev/zero > /workspace/fill 2> /dev/null; sync; true", ", \"user\": \"root\""));
            var refused = Api.expect(507, api.send("PUT", contents + "/workspace/mine", "n".repeat(LARGE)));
            assertThat(Api.text(refused, "code")).isEqualTo("3006");
            assertThat(Api.expect(200, api.send("GET", contents + "/workspace/mine", ""))
                            .body())
                    .isEqualTo("oldmore\n");
            assertThat(inside(api, id, "ls -A /workspace | grep -v lost+found")).isEqualTo("fill\nmine\nroots\n");

            Api.expect(200, api.run(id, "rm /workspace/fill; sync", ", \"user\": \"root\""));
            Api.expect(200, api.send("PUT", contents + "/workspace/mine", "new"));
            assertThat(inside(api, id, "cat /workspace/mine")).isEqualTo("new");
            Api.expect(204, api.delete(id));
        }
    }

    private static String inside(Api api, String id, String command) throws Exception {
        return Api.text(Api.expect(200, api.run(id, command, "")), "stdout");
    }
}
