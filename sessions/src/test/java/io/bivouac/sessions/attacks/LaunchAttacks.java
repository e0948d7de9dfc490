package io.bivouac.sessions.attacks;

import io.bivouac.agentlink.testing.Http;
import io.bivouac.agentlink.testing.PodHouse;
import java.util.List;
import java.util.Map;

/** Trusted programs, started otherwise than their rules say. */
final class LaunchAttacks {
    private static final String ARGUMENT = "the argument";
    private static final String TURNING = "could turn it into another program";

    private LaunchAttacks() {}

    static List<Attack> all() {
        return List.of(
                guest("claude without its questions", "claude", "--dangerously-skip-permissions"),
                refused(
                        "the same behind another flag's value",
                        "may not be",
                        "command",
                        "claude",
                        "args",
                        List.of("--model", "--dangerously-skip-permissions")),
                guest("claude in a mode that asks nobody", "claude", "--permission-mode=bypassPermissions"),
                guest("claude with settings of one's own", "claude", "--settings", "{\"disableAllHooks\":true}"),
                guest("claude with tools that it need not ask for", "claude", "--allowedTools", "Bash"),
                guest("a subcommand of claude's", "claude", "mcp", "add", "x"),
                guest("codex without its sandbox", "codex", "--dangerously-bypass-approvals-and-sandbox"),
                guest("the same by its configuration", "codex", "-csandbox_mode=danger-full-access"),
                refused("codex that asks nobody", "may not be", "command", "codex", "args", List.of("-a", "never")),
                guest("aider that says yes to itself", "aider", "--yes-alw"),
                guest("aider with a command to run", "aider", "--test-cmd", "sh x"),
                refused("another program of the same name", "not the trusted program", "command", "/workspace/claude"),
                refused(
                        "a template without the hooks that make it ask",
                        "could not ask",
                        "command",
                        "claude",
                        "sandboxId",
                        null,
                        "template",
                        "node:20"),
                variable("a preload variable", TURNING, "LD_PRELOAD"),
                variable("options for the program's interpreter", TURNING, "NODE_OPTIONS"),
                variable("a proxy of one's own", TURNING, "https_proxy"),
                variable("a variable that the rule does not name", "is not allowed", "CLAUDE_CONFIG_DIR"),
                new Attack(
                        "launch rules",
                        "the same with a developer's key",
                        "403 FORBIDDEN",
                        "launch.refused",
                        house -> because(
                                ARGUMENT,
                                house.relay()
                                        .http()
                                        .post(
                                                PodHouse.SESSIONS,
                                                house.session("command", "codex", "args", List.of("--yolo"))))),
                new Attack(
                        "launch rules",
                        "a variable of the Pod's own that turns it into another program",
                        "403 FORBIDDEN",
                        "launch.refused",
                        house -> {
                            house.letBobIn("");
                            house.write(".terminal/config", """
                                    @prefix udf: <https://undefineds.co/ns/> .
                                    <> udf:env [ udf:key "BASH_ENV" ; udf:value "/workspace/x" ] .""");
                            try {
                                return opened(house, TURNING, "command", "claude");
                            } finally {
                                house.write(".terminal/config", "");
                            }
                        }));
    }

    private static Attack guest(String attempt, String command, String... arguments) {
        return refused(attempt, ARGUMENT, "command", command, "args", List.of(arguments));
    }

    private static Attack variable(String attempt, String why, String name) {
        return refused(attempt + ": " + name, why, "command", "claude", "env", Map.of(name, "x"));
    }

    private static Attack refused(String attempt, String why, Object... request) {
        return new Attack("launch rules", attempt, "403 FORBIDDEN", "launch.refused", house -> {
            house.letBobIn("");
            return opened(house, why, request);
        });
    }

    private static String opened(PodHouse house, String why, Object... request) throws Exception {
        return because(why, house.guest("bob").post(PodHouse.SESSIONS, house.session(request)));
    }

    /** Several rules refuse in the same way: it must be the one that the attack is about. */
    private static String because(String why, Http.Answer answer) {
        return answer.status() == 201 || answer.text("detail").contains(why) ? Attack.of(answer) : answer.toString();
    }
}
