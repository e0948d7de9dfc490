package io.bivouac.sessions.attacks;

import io.bivouac.agentlink.testing.Http;
import io.bivouac.agentlink.testing.PodHouse;
import io.bivouac.agentlink.testing.RealAgent;
import io.bivouac.agentlink.testing.Wait;
import io.bivouac.foundation.access.ApiKeys;
import io.bivouac.foundation.access.Projects;
import io.bivouac.foundation.access.Role;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Answers by those who may not give them, and questions that are no honest ones. */
final class HookAttacks {
    private static final String FORBIDDEN = "403 FORBIDDEN";
    private static final String INVALID = "400 INVALID_REQUEST";
    private static final String OPEN = "/api/v1/permissions?state=open&limit=100";
    private static final Map<String, ?> YES = Map.of("granted", true);

    private HookAttacks() {}

    static List<Attack> all() {
        return List.of(
                row("a yes by whoever the session runs for", FORBIDDEN, (house, id) -> guest(house, "bob", id, YES)),
                row(
                        "a yes by a guest who controls nothing",
                        FORBIDDEN,
                        (house, id) -> guest(house, "mallory", id, YES)),
                row(
                        "a look by a guest who controls nothing",
                        FORBIDDEN,
                        (house, id) -> Attack.of(house.guest("mallory").get(PodHouse.PERMISSIONS + "/" + id))),
                row("a yes by a viewer of the project", FORBIDDEN, (house, id) -> {
                    var key =
                            house.relay().bean(ApiKeys.class).make(house.relay().caller(), "v", Role.VIEWER, false);
                    return key(house.relay().http(key.text().value()), id);
                }),
                row("a yes by another project's administrator", FORBIDDEN, (house, id) -> {
                    var name = "other-" + UUID.randomUUID();
                    var other = house.relay()
                            .bean(Projects.class)
                            .make(house.relay().caller(), name, 10);
                    return key(house.relay().http(other.firstKey().value()), id);
                }),
                row("a yes that takes back a no", "409 PERMISSION_DECIDED", (house, id) -> {
                    guest(house, "alice", id, Map.of("granted", false));
                    return guest(house, "alice", id, YES);
                }),
                row(
                        "a yes for longer than may be",
                        INVALID,
                        (house, id) -> guest(
                                house,
                                "alice",
                                id,
                                Map.of(
                                        "granted",
                                        true,
                                        "expiresAt",
                                        Instant.now().plusSeconds(25 * 3600).toString()))),
                row(
                        "what is only like a yes",
                        INVALID,
                        (house, id) -> guest(house, "alice", id, Map.of("granted", "yes"))),
                new Attack(
                        "hooks", "more questions than may wait", "denied", "permission.refused", HookAttacks::flood));
    }

    private interface Act {
        String on(PodHouse house, String question) throws Exception;
    }

    private static Attack row(String attempt, String answer, Act act) {
        return new Attack("hooks", attempt, answer, "request.refused", house -> {
            var question = question(house);
            try {
                return act.on(house, question);
            } finally {
                house.relay().http().post("/api/v1/permissions/" + question + "/answer", Map.of("granted", false));
            }
        });
    }

    private static String guest(PodHouse house, String who, String id, Map<String, ?> answer) throws Exception {
        return Attack.of(house.guest(who).post(PodHouse.PERMISSIONS + "/" + id + "/answer", answer));
    }

    private static String key(Http http, String id) {
        return Attack.of(http.post("/api/v1/permissions/" + id + "/answer", YES));
    }

    /** One that a program in a session of bob's asks. */
    static String question(PodHouse house) throws Exception {
        house.letBobIn("");
        var resource = UUID.randomUUID().toString();
        var line = RealAgent.ask(house.sandbox()) + " --action deploy --timeout 120 --resource " + resource;
        var made =
                house.guest("bob").post(PodHouse.SESSIONS, house.session("command", "sh", "args", List.of("-c", line)));
        if (made.status() != 201) {
            throw new AssertionError(made.toString());
        }
        var found = new String[1];
        Wait.until(() -> {
            for (var item : house.relay().http().get(OPEN).body().get("items").values()) {
                if (item.get("resource").getStringValue().equals(resource)) {
                    found[0] = item.get("id").getStringValue();
                }
            }
            return found[0] != null;
        });
        return found[0];
    }

    private static String flood(PodHouse house) {
        var one = RealAgent.ask(house.sandbox()) + " --action flood --timeout 2 --resource ";
        var lines = new StringBuilder();
        for (int i = 0; i < 2 * AttackTableTest.QUESTIONS; i++) {
            lines.append(one).append(i).append(" & ");
        }
        var ran = house.relay().http().post(house.sandbox() + "/process/run", Map.of("command", lines + "wait"));
        return ran.text("stderr").contains("too many questions") ? "denied" : ran.toString();
    }
}
