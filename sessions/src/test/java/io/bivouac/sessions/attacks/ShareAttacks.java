package io.bivouac.sessions.attacks;

import io.bivouac.agentlink.testing.PodHouse;
import io.bivouac.foundation.access.ApiKeys;
import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.LimitChange;
import io.bivouac.foundation.access.Projects;
import io.bivouac.foundation.access.Role;
import java.util.List;
import java.util.Map;

/** One project that takes all it can get of what everybody uses. */
final class ShareAttacks {
    private static final int TERMINALS = 3;

    private ShareAttacks() {}

    static List<Attack> all() {
        return List.of(new Attack(
                "shares",
                "all terminals, by many keys of one project",
                "429 PTY_LIMIT_EXCEEDED",
                "request.refused",
                ShareAttacks::manyKeys));
    }

    private static String manyKeys(PodHouse house) {
        var relay = house.relay();
        var project = relay.project(new LimitChange(1, TERMINALS, null, null, null, null));
        var sandbox = relay.sandboxOf(project);
        try (var _ = relay.agent(sandbox)) {
            var answer = "";
            for (int key = 0; key <= TERMINALS; key++) {
                var http = relay.http(newKey(house, project));
                answer = Attack.of(http.post(sandbox + "/pty", Map.of("command", "cat")));
            }
            return answer;
        }
    }

    private static String newKey(PodHouse house, Projects.Made project) {
        var admin = new Caller("key_test", project.project().id(), Role.ADMIN, false);
        return house.relay()
                .bean(ApiKeys.class)
                .make(admin, "one of many", Role.ADMIN, false)
                .text()
                .value();
    }
}
