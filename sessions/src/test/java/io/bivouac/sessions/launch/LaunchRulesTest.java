package io.bivouac.sessions.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bivouac.sandboxmodel.error.BivouacException;
import java.io.StringReader;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules that come with Bivouac, and what an operator can write. */
class LaunchRulesTest {
    private static final LaunchRules RULES = new LaunchCatalogue().rules(null, List.of());

    private static LaunchAsk ask(String line) {
        var words = List.of(line.split("\\|"));
        return new LaunchAsk(words.getFirst(), words.subList(1, words.size()), Set.of(), Set.of());
    }

    private static void refused(LaunchRules rules, LaunchAsk ask, String why) {
        assertThatThrownBy(() -> rules.admit(ask))
                .isInstanceOfSatisfying(
                        BivouacException.class,
                        refusal -> assertThat(refusal.code().httpStatus()).isEqualTo(403))
                .hasMessageContaining(why);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "claude",
                "claude|-p|do this, please",
                "claude|--model|claude-opus-4-1[1m]|--output-format=stream-json|--verbose",
                "claude|--permission-mode|plan|-c",
                "claude|--append-system-prompt|Be\nbrief.",
                "claude|--resume|0b5e6a4c-0d7a-4f6e-9f58-0123456789ab",
                "/usr/local/bin/claude|--version",
                "codex|resume|--last",
                "codex|-s|workspace-write|-a|on-request|fix the tests",
                "aider|--model|gpt-5|--no-auto-commits|src/main.py|-m|/run ls"
            })
    void whatItsProgramNeedsIsAdmitted(String line) {
        assertThat(RULES.admit(ask(line))).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "claude|--dangerously-skip-permissions",
                "claude|--dangerously-skip-permissions=true",
                "claude|--dangerously-skip-perm",
                "claude|--allow-dangerously-skip-permissions",
                "claude|--model|--dangerously-skip-permissions",
                "claude|--|--dangerously-skip-permissions",
                "claude|-pc",
                "claude|--permission-mode|bypassPermissions",
                "claude|--permission-mode=bypassPermissions",
                "claude|--permission-mode|acceptEdits",
                "claude|--permission-mode",
                "claude|--allowedTools|Bash",
                "claude|--allowed-tools=Bash",
                "claude|--settings|{}",
                "claude|--setting-sources|user",
                "claude|--mcp-config|x.json",
                "claude|--plugin-dir|x",
                "claude|--bare",
                "claude|mcp|add|x",
                "claude|update",
                "codex|--yolo",
                "codex|--full-auto",
                "codex|--dangerously-bypass-approvals-and-sandbox",
                "codex|--dangerously-bypass-hook-trust",
                "codex|--approve-for-me",
                "codex|-c|sandbox_mode=danger-full-access",
                "codex|-csandbox_mode=danger-full-access",
                "codex|--config=approval_policy=never",
                "codex|-s|danger-full-access",
                "codex|-sdanger-full-access",
                "codex|--sandbox=danger-full-access",
                "codex|-a|never",
                "codex|-p|mine",
                "codex|exec|do it now",
                "codex|sandbox|ls",
                "aider|--yes-always",
                "aider|--yes",
                "aider|--yes-alw",
                "aider|--test-cmd|rm -r /workspace",
                "aider|--lint-cmd=sh x",
                "aider|--load|commands",
                "aider|--config|mine.yml",
                "aider|--env-file|mine",
                "aider|--set-env|LD_PRELOAD=x",
                "aider|--notifications-command|sh x"
            })
    void whatGetsAroundItsQuestionsIsRefused(String line) {
        refused(RULES, ask(line), "is refused");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/workspace/claude", "./claude", "bin/codex", "/tmp/aider", "../../usr/local/bin/claude"})
    void anotherProgramOfTheSameNameIsRefused(String command) {
        refused(RULES, ask(command), "not the trusted program");
    }

    @Test
    void anInterpreterIsNotTheProgramThatItRuns() {
        assertThat(RULES.admit(ask("/usr/bin/python3|-c|print()"))).isEmpty();
        assertThat(RULES.admit(ask("bash"))).isEmpty();
        assertThat(RULES.admit(new LaunchAsk(null, List.of(), Set.of(), Set.of())))
                .isEmpty();
    }

    private static LaunchAsk with(Set<String> variables, Set<String> preset) {
        return new LaunchAsk("claude", List.of(), variables, preset);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "LD_PRELOAD",
                "LD_LIBRARY_PATH",
                "PATH",
                "NODE_OPTIONS",
                "BUN_OPTIONS",
                "PYTHONPATH",
                "BASH_ENV",
                "GIT_SSH_COMMAND",
                "GIT_CONFIG_COUNT",
                "HTTPS_PROXY",
                "https_proxy",
                "ALL_PROXY",
                "SSL_CERT_FILE"
            })
    void variablesThatTurnAProgramIntoAnotherAreRefusedWhoeverSetsThem(String name) {
        refused(RULES, with(Set.of(name), Set.of()), "another program");
        refused(RULES, with(Set.of(), Set.of(name)), "another program");
    }

    @Test
    void aCallerSetsOnlyVariablesThatARuleNames() {
        assertThat(RULES.admit(with(Set.of("ANTHROPIC_API_KEY", "GITHUB_TOKEN", "LC_ALL"), Set.of("TZ"))))
                .isPresent();
        for (var name : List.of("EDITOR", "CLAUDE_CONFIG_DIR", "ANTHROPIC_BASE_URL", "HOME", "_TOKEN2", "LC")) {
            refused(RULES, with(Set.of(name), Set.of()), "the variable " + name);
            refused(RULES, with(Set.of(), Set.of(name)), "the variable " + name);
        }
    }

    @Test
    void aPodPresetsWhatItsCommandMayHave() {
        var listed = new LaunchCatalogue().rules(null, List.of("cat"));
        assertThat(RULES.letPreset("EDITOR", null, false)).isTrue();
        assertThat(RULES.letPreset("EDITOR", "git", false)).isTrue();
        assertThat(RULES.letPreset("EDITOR", "git", true)).isFalse();
        assertThat(RULES.letPreset("EDITOR", "claude", false)).isFalse();
        assertThat(RULES.letPreset("ANTHROPIC_MODEL", "claude", true)).isTrue();
        assertThat(RULES.letPreset("ANTHROPIC_MODEL", "git", true)).isFalse();
        assertThat(RULES.letPreset("GITHUB_TOKEN", "git", true)).isTrue();
        assertThat(RULES.letPreset("GIT_TOKEN", "git", true)).isFalse();
        assertThat(listed.letPreset("EDITOR", "cat", false)).isFalse();
    }

    @Test
    void aListOfCommandsLeavesOutEveryOther() {
        var only = new LaunchCatalogue().rules(null, List.of("claude", "cat"));
        assertThat(only.admit(ask("claude"))).isPresent();
        assertThat(only.admit(ask("cat"))).isEmpty();
        refused(only, ask("codex"), "nothing else");
        refused(only, ask("/bin/cat"), "nothing else");
        refused(only, new LaunchAsk(null, List.of(), Set.of(), Set.of()), "nothing else");
        refused(only, new LaunchAsk("cat", List.of(), Set.of("LD_PRELOAD"), Set.of()), "another program");
        refused(only, new LaunchAsk("cat", List.of(), Set.of("HOME"), Set.of()), "the variable HOME");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rules: [{name: x, executable: [bin/x]}]",
                "rules: [{name: x, executable: [/usr/bin/../x]}]",
                "rules: [{name: x}]",
                "rules: [{name: /bin/x, executable: [/bin/x]}]",
                "rules: [{name: x, executable: [/bin/x], more: 1}]",
                "rules: [{name: x, executable: [/bin/x], environment: [LD_PRELOAD]}]",
                "rules: [{name: x, executable: [/bin/x], environment: ['*_PROXY']}]",
                "rules: [{name: x, executable: [/bin/x], environment: ['*']}]",
                "rules: [{name: x, executable: [/bin/x], hooks: vim}]",
                "rules: [{name: x, executable: [/bin/x], nestedSandbox: maybe}]",
                "rules: [{name: x, executable: [/bin/x], egress: {allow: ['*']}}]",
                "rules: [{name: x, executable: [/bin/x], egress: {deny: []}}]",
                "rules: [{name: x, executable: [/bin/x], arguments: {deny: []}}]",
                "rules: [{name: x, executable: [/bin/x], arguments: {options: {-a: '('}}}]",
                "rules: [{name: x, executable: [/bin/x], arguments: {flags: [-a], options: {-a: x}}}]"
            })
    void aRuleThatMeansNothingStopsTheStart(String yaml) {
        assertThatThrownBy(() -> LaunchRuleFile.read(new StringReader(yaml), "rules.yml"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("rules.yml: ");
    }
}
