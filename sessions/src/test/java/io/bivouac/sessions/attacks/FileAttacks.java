package io.bivouac.sessions.attacks;

import io.bivouac.agentlink.testing.Http;
import io.bivouac.agentlink.testing.PodHouse;
import io.bivouac.agentlink.testing.Wait;
import io.bivouac.foundation.access.ApiKeys;
import io.bivouac.foundation.access.Role;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Files that are nobody's to reach. */
final class FileAttacks {
    private static final String NOT_PERMITTED = "403 FILE_NOT_PERMITTED";
    private static final String FORBIDDEN = "403 FORBIDDEN";

    private FileAttacks() {}

    static List<Attack> all() {
        return List.of(
                file("the agent's memory, by /proc", "/proc/self/mem"),
                file("a file by a magic link of /proc", "/proc/self/root/etc/passwd"),
                file("a file by a link into /proc", "into-proc/environ"),
                file("a file of /proc in other spelling", "/tmp/..//proc/./self/../self/environ"),
                attack("a change by a viewer", FORBIDDEN, "request.refused", (house, files) -> {
                    var made =
                            house.relay().bean(ApiKeys.class).make(house.relay().caller(), "looks", Role.VIEWER, false);
                    var viewer = new Http(house.relay().url(), made.text().value());
                    return Attack.of(viewer.delete(files + "?path=a"));
                }),
                attack("a link with another path in it", FORBIDDEN, "file.refused", (house, files) -> {
                    var link = link(house, files);
                    return Attack.of(house.relay().http().get(link.replace("path=a", "path=b")));
                }),
                attack("a link with another sandbox in it", FORBIDDEN, "file.refused", (house, files) -> {
                    var sandbox = files.substring(0, files.indexOf('/'));
                    var other = house.relay().sandbox().value();
                    return Attack.of(house.relay().http().get(link(house, files).replace(sandbox, other)));
                }),
                attack("a link that has expired", FORBIDDEN, "file.refused", (house, files) -> {
                    var link = link(house, files);
                    Wait.until(() -> house.relay().http().open(link, "*/*").statusCode() == 403);
                    return Attack.of(house.relay().http().get(link));
                }));
    }

    private interface OnFiles {
        String with(PodHouse house, String files) throws Exception;
    }

    private static Attack file(String attempt, String path) {
        return attack(
                attempt,
                NOT_PERMITTED,
                "file.refused",
                (house, files) -> Attack.of(house.relay().http().get(files + "/content?path=" + path)));
    }

    private static Attack attack(String attempt, String answer, String audit, OnFiles act) {
        return new Attack("files", attempt, answer, audit, house -> {
            var id = house.relay().sandbox();
            try (var agent = house.relay().agent(id)) {
                Files.createSymbolicLink(agent.workspace().resolve("into-proc"), Path.of("/proc/self"));
                Files.writeString(agent.workspace().resolve("a"), "a");
                Wait.until(() ->
                        house.relay().http().get(id + "/files/stat?path=a").status() == 200);
                return act.with(house, id + "/files");
            }
        });
    }

    /** From the host on, without it. */
    private static String link(PodHouse house, String files) {
        var asked = Map.of("path", "a", "expiresInSeconds", 1);
        var url = house.relay().http().post(files + "/links", asked).text("url");
        return url.substring(url.indexOf("/files/"));
    }
}
