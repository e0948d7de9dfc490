package io.bivouac.runtimes.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bivouac.sandboxmodel.Resources;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.egress.EgressPolicy;
import io.bivouac.sandboxmodel.runtime.ExecOptions;
import io.bivouac.sandboxmodel.runtime.ExecResult;
import io.bivouac.sandboxmodel.runtime.InstanceSpec;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import io.bivouac.sandboxmodel.template.Template;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Text that a shell would run, wherever a caller may write text. No shell is between the caller and the program. */
class InjectionAttacksTest extends AttackFixture {
    private static final List<String> TEXTS = List.of(
            "; touch mark",
            "$(touch mark)",
            "`touch mark`",
            "| touch mark",
            "&& touch mark",
            "'; touch mark; '",
            "\"; touch mark; \"",
            "\ntouch mark\n",
            "--bind / mark");

    private final SandboxId id = SandboxId.next();
    private BubblewrapRuntime runtime;

    @AfterEach
    void removeIt() {
        runtime.remove(id, false);
    }

    @Test
    void whatAShellWouldRunIsText() {
        start("attack", Map.of());
        for (var text : TEXTS) {
            assertThat(run(Map.of(), null, "printf", "%s", text).stdout())
                    .as("an argument")
                    .isEqualTo(text);
            assertThat(run(Map.of("TEXT", text), null, "printenv", "TEXT").stdout())
                    .as("a variable")
                    .isEqualTo(text + "\n");
            var folder = "/workspace/" + text.replace("/", "");
            assertThat(run(Map.of(), null, "mkdir", folder).exitCode()).isZero();
            assertThat(run(Map.of(), folder, "pwd").stdout()).as("a folder").isEqualTo(folder + "\n");
            assertThatThrownBy(() -> run(Map.of(), null, text))
                    .as("a program")
                    .isInstanceOf(RuntimeFailure.class)
                    .hasMessageContaining("no such file");
        }
        assertThat(marks()).isEmpty();
        // The same text, where a shell was asked for: it runs, inside.
        assertThat(run(Map.of(), "/workspace", "sh", "-c", "true " + TEXTS.getFirst())
                        .exitCode())
                .isZero();
        assertThat(marks()).isEqualTo("/workspace/mark\n");
    }

    @Test
    void whatAShellWouldRunIsTextInWhatASandboxIsMadeOf() {
        var text = String.join(" ", TEXTS);
        start("attack" + text, Map.of("TEXT", text));
        assertThat(run(Map.of(), null, "printenv", "TEXT").stdout()).isEqualTo(text + "\n");
        assertThat(marks()).isEmpty();
        assertThat(runtime.get(id).orElseThrow().labels()).containsValue("attack" + text);
    }

    private void start(String name, Map<String, String> envs) {
        runtime = test().runtime(guarded());
        var template = new Template(
                name,
                "to be attacked",
                Map.of(BubblewrapRuntime.NAME, Template.HOST_ROOT),
                Map.of(),
                List.of(),
                Resources.DEFAULT,
                List.of(),
                Map.of(),
                Map.of(),
                List.of(),
                EgressPolicy.NOTHING);
        runtime.create(TestRelay.expected(
                new InstanceSpec(id, name, template, Resources.DEFAULT, envs, "replaced", null, false)));
        runtime.start(id);
    }

    private ExecResult run(Map<String, String> envs, String folder, String... argv) {
        return TestRelay.run(runtime, id, List.of(argv), new ExecOptions(envs, folder, null, Duration.ofSeconds(30)));
    }

    /** Wherever a command of the caller's may have left one. */
    private String marks() {
        return run(Map.of(), null, "find", "/workspace", "/tmp", "/home", "-name", "mark")
                .stdout();
    }
}
