package io.bivouac.sessions.attacks;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Paths that lead elsewhere than they say. */
final class PathAttacks {
    private static final String INVALID = "400 INVALID_REQUEST";
    private static final String SECRETS = "udf:injectSecrets \"/.secrets/mine.json\", \"/.secrets/link.json\"";

    private PathAttacks() {}

    static List<Attack> all() {
        return List.of(
                row("a workdir with a step back", INVALID, "", "workdir", "/tmp/../etc"),
                row("a workdir in other spelling", INVALID, "", "workdir", "/tmp/%2e%2e/etc"),
                row("a workdir with a zero byte", INVALID, "", "workdir", "/tmp\0/etc"),
                row("a workdir that its own ACL does not let them read", "403 FORBIDDEN", "", "workdir", "/private"),
                row("a secret by a step back", INVALID, SECRETS, "env", secret("/.secrets/../profile", "$.token")),
                row("a secret by many values at once", INVALID, SECRETS, "env", secret("/.secrets/mine.json", "$..*")),
                new Attack("paths", "a command with a zero byte", INVALID, "request.refused", house -> {
                    house.letBobIn("");
                    return AclAttacks.opened(house, "bob", "command", "cat\0x");
                }),
                new Attack(
                        "paths",
                        "an ACL that is a link out of the Pod",
                        "503 UNAVAILABLE",
                        "session.refused",
                        house -> {
                            house.letBobIn("");
                            var acl = house.folder().resolve(".terminal/.acl");
                            Files.delete(acl);
                            Files.createSymbolicLink(acl, Path.of("/etc/hostname"));
                            try {
                                return AclAttacks.opened(house, "bob");
                            } finally {
                                Files.delete(acl);
                            }
                        }));
    }

    private static Map<String, Object> secret(String path, String jsonPath) {
        return Map.of("TOKEN", Map.of("@ref", path, "jsonPath", jsonPath));
    }

    private static Attack row(String attempt, String answer, String limits, Object... more) {
        return new Attack("paths", attempt, answer, "session.refused", house -> {
            house.letBobIn(limits);
            house.write(".secrets/mine.json", "{\"token\":\"t\"}");
            return AclAttacks.opened(house, "bob", more);
        });
    }
}
