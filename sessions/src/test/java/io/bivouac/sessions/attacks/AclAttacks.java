package io.bivouac.sessions.attacks;

import io.bivouac.agentlink.testing.PodHouse;
import java.util.List;
import java.util.Map;

/** Getting more than an ACL grants. Every rule of the reading itself has its own table of tests. */
final class AclAttacks {
    private static final String REFUSED = "403 FORBIDDEN";
    private static final String AUDIT = "session.refused";

    private AclAttacks() {}

    static List<Attack> all() {
        return List.of(
                session("a session by whom the ACL does not name", "mallory", ""),
                rules("a session by whom it lets only read", "acl:Read, acl:Control"),
                session("another command than the rule's", "bob", "udf:allowedCommands \"claude\""),
                session(
                        "a shell where the rule names commands",
                        "bob",
                        "udf:allowedCommands \"claude\"",
                        "command",
                        "sh"),
                session(
                        "LD_PRELOAD for a command that the rule names",
                        "bob",
                        "udf:allowedCommands \"cat\"",
                        "env",
                        Map.of("LD_PRELOAD", "/tmp/x.so")),
                session(
                        "HOME for a command that the rule names",
                        "bob",
                        "udf:allowedCommands \"cat\"",
                        "env",
                        Map.of("HOME", "/workspace")),
                session("a longer session than the rule's", "bob", "udf:maxSessionDuration 60", "timeout", 61),
                session("another workdir than the rule's", "bob", "udf:allowedWorkdirs \"/alice/github/\""),
                session(
                        "a secret that the rule does not list",
                        "bob",
                        "udf:injectSecrets \"/.secrets/mine.json\"",
                        "env",
                        Map.of("TOKEN", Map.of("@ref", "/.secrets/other.json", "jsonPath", "$.token"))),
                session("by a rule with a limit that is not understood", "bob", "udf:anything true"),
                rule(
                        "by a rule with a condition that is not understood",
                        "acl:condition [ a acl:MoonCondition ; acl:phase \"full\" ]"),
                rule(
                        "by a rule for another program",
                        "acl:condition [ a acl:ClientCondition ; acl:client <https://x.example/> ]"),
                row("by an ACL that is no Turtle", REFUSED, AUDIT, house -> {
                    house.letBobIn("");
                    house.acl(".terminal", "<#bob> a acl:Authorization ; nonsense");
                    return opened(house, "bob");
                }),
                row("by an ACL that is nested without end", REFUSED, AUDIT, house -> {
                    house.letBobIn("");
                    house.acl(".terminal", "<#bob> <#is> " + "(".repeat(200_000));
                    return opened(house, "bob");
                }),
                row("a sandbox that is not labelled for the Pod", "404 SANDBOX_NOT_FOUND", AUDIT, house -> {
                    house.letBobIn("");
                    return opened(
                            house, "bob", "sandboxId", house.relay().sandbox().value());
                }),
                row("a template that is not for guests", REFUSED, AUDIT, house -> {
                    house.letBobIn("");
                    return opened(house, "bob", "sandboxId", null, "template", "assistant");
                }),
                row("a Pod that is not served", REFUSED, "request.refused", house -> {
                    house.letBobIn("");
                    return opened(house, "bob", "pod", "https://elsewhere.example/");
                }),
                row("from a strange page, with a guest's login", REFUSED, AUDIT, house -> {
                    house.letBobIn("");
                    var body = "{\"sandboxId\":\"" + house.sandbox() + "\",\"command\":\"cat\",\"workdir\":\"/tmp\"}";
                    return Attack.of(io.bivouac.agentlink.testing.Guest.answer(house.guest("bob")
                            .send("POST", PodHouse.SESSIONS, body, "Origin", "https://evil.example")));
                }));
    }

    private static Attack row(String attempt, String answer, String audit, Attack.Attempt act) {
        return new Attack("ACLs", attempt, answer, audit, act);
    }

    private static Attack session(String attempt, String who, String limits, Object... more) {
        return row(attempt, REFUSED, AUDIT, house -> {
            house.letBobIn(limits);
            return opened(house, who, more);
        });
    }

    private static Attack rules(String attempt, String modes) {
        return row(attempt, REFUSED, AUDIT, house -> {
            house.letBobIn("");
            house.acl(".terminal", house.rule("bob", modes, ""));
            return opened(house, "bob");
        });
    }

    private static Attack rule(String attempt, String more) {
        return row(attempt, REFUSED, AUDIT, house -> {
            house.letBobIn("");
            house.acl(".terminal", house.rule("bob", "acl:Write ; " + more, ""));
            return opened(house, "bob");
        });
    }

    static String opened(PodHouse house, String who, Object... more) throws Exception {
        return Attack.of(house.guest(who).post(PodHouse.SESSIONS, house.session(more)));
    }
}
