package io.bivouac.terminalrelay.attacks;

import io.bivouac.terminalrelay.testing.PodHouse;
import java.util.List;
import java.util.Map;

/** Trusted programs, started otherwise than their rules say. */
final class LaunchAttacks {
    private LaunchAttacks() {}

    static List<Attack> all() {
        return List.of(
                guest("claude without its questions", "claude", "--dangerously-skip-permissions"),
                guest("the same behind another flag's value", "claude", "--model", "--dangerously-skip-permissions"),
                guest("claude in a mode that asks nobody", "claude", "--permission-mode=bypassPermissions"),
                guest("claude with settings of one's own", "claude", "--settings", "{\"disableAllHooks\":true}"),
                guest("claude with tools that it need not ask for", "claude", "--allowedTools", "Bash"),
                guest("a subcommand of claude's", "claude", "mcp", "add", "x"),
                guest("codex without its sandbox", "codex", "--dangerously-bypass-approvals-and-sandbox"),
                guest("the same by its configuration", "codex", "-csandbox_mode=danger-full-access"),
                guest("codex that asks nobody", "codex", "-a", "never"),
                guest("aider that says yes to itself", "aider", "--yes-alw"),
                guest("aider with a command to run", "aider", "--test-cmd", "sh x"),
                guest("another program of the same name", "/workspace/claude"),
                row(
                        "a template without the hooks that make it ask",
                        "command",
                        "claude",
                        "sandboxId",
                        null,
                        "template",
                        "node:20"),
                variable("a preload variable", "LD_PRELOAD"),
                variable("options for the program's interpreter", "NODE_OPTIONS"),
                variable("a proxy of one's own", "https_proxy"),
                variable("a variable that the rule does not name", "CLAUDE_CONFIG_DIR"),
                new Attack(
                        "launch rules",
                        "the same with a developer's key",
                        "403 FORBIDDEN",
                        "launch.refused",
                        house -> Attack.of(house.relay()
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
                                return AclAttacks.opened(house, "bob", "command", "claude");
                            } finally {
                                house.write(".terminal/config", "");
                            }
                        }));
    }

    private static Attack guest(String attempt, String command, String... arguments) {
        return row(attempt, "command", command, "args", List.of(arguments));
    }

    private static Attack variable(String attempt, String name) {
        return row(attempt + ": " + name, "command", "claude", "env", Map.of(name, "x"));
    }

    private static Attack row(String attempt, Object... request) {
        return new Attack("launch rules", attempt, "403 FORBIDDEN", "launch.refused", house -> {
            house.letBobIn("");
            return AclAttacks.opened(house, "bob", request);
        });
    }
}
