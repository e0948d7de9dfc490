package io.bivouac.sandboxmodel.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Running commands in an instance. */
abstract class CommandContract extends RuntimeFixture {
    private static final int KILL = 9;

    @Test
    void aCommandGivesItsOutputsApartAndItsExitCode() {
        var id = started(spec());
        var result = run(id, "echo out; echo err >&2; exit 7");
        assertThat(result).isEqualTo(new ExecResult(7, "out\n", "err\n"));
    }

    @Test
    void aCommandThatWasKilledSaysSo() {
        var id = started(spec());
        assertThat(run(id, "kill -9 $$").exitCode()).isEqualTo(exitCodeBySignal(KILL));
    }

    @Test
    void argumentsArriveAsTheyAre() {
        var id = started(spec());
        var argv = List.of("printf", "%s|", "two words", "$HOME", "*", "ünï✓", "");
        assertThat(exec(id, argv, ExecOptions.defaults()).stdout()).isEqualTo("two words|$HOME|*|ünï✓||");
    }

    @Test
    void itSeesTheVariablesOfTemplateCreateAndCall() {
        var id = started(spec());
        var options = new ExecOptions(Map.of("FROM_CALL", "a b"), null, null, ExecOptions.DEFAULT_TIMEOUT);
        var line = List.of("sh", "-c", "echo $FROM_TEMPLATE $FROM_CREATE \"$FROM_CALL\"");
        assertThat(exec(id, line, options).stdout()).isEqualTo("yes yes a b\n");
    }

    @Test
    void itRunsInTheWorkspaceOrWhereItIsTold() {
        var id = started(spec());
        assertThat(shell(id, "pwd")).isEqualTo("/workspace");
        var options = new ExecOptions(Map.of(), "/tmp", null, ExecOptions.DEFAULT_TIMEOUT);
        assertThat(exec(id, List.of("pwd"), options).stdout()).isEqualTo("/tmp\n");
    }

    @Test
    void itsHomeAndItsWorkspaceCanBeWritten() {
        var id = started(spec());
        shell(id, "echo a > \"$HOME/file\" && echo b > /workspace/file");
    }

    @Test
    void itIsNotRootUnlessAskedFor() {
        assumeTrue(runtime().capabilities().users(), "this runtime has only one user here");
        var id = started(spec());
        assertThat(shell(id, "id -u")).isNotEqualTo("0");
        assertThat(as(id, "root", "id -u")).isEqualTo("0");
        assertThat(as(id, "1234:4321", "echo $(id -u):$(id -g)")).isEqualTo("1234:4321");
    }

    @Test
    void aUserThatIsNoneIsRefused() {
        assumeTrue(runtime().capabilities().users(), "this runtime has only one user here");
        var id = started(spec());
        var options = new ExecOptions(Map.of(), null, "no such user", ExecOptions.DEFAULT_TIMEOUT);
        assertThatThrownBy(() -> exec(id, List.of("true"), options)).isInstanceOf(RuntimeFailure.class);
    }

    @Test
    void aCommandThatTakesTooLongIsEnded() {
        var id = started(spec());
        var options = new ExecOptions(Map.of(), null, null, Duration.ofMillis(500));
        assertThatThrownBy(() -> exec(id, List.of("sh", "-c", "sleep 31337; true"), options))
                .isInstanceOf(RuntimeFailure.class)
                .hasMessageContaining("500 ms");
        var everyCommandLine = "for f in /proc/[0-9]*/cmdline; do tr '\\0' ' ' < $f; echo; done 2>/dev/null";
        assertThat(eventually(() -> run(id, everyCommandLine).stdout(), found -> !found.contains("31337")))
                .doesNotContain("31337");
    }

    @Test
    void outputBeyondTheBoundIsCutAndTheCommandStillEnds() {
        var id = started(spec());
        var result = run(id, "head -c 3000000 /dev/zero | tr '\\0' x; echo end >&2; exit 3");
        assertThat(result.exitCode()).isEqualTo(3);
        assertThat(result.stdout()).hasSize(ExecOptions.LARGEST_OUTPUT);
        assertThat(result.stderr()).isEqualTo("end\n");
    }

    @Test
    void nothingRunsInAStoppedOne() {
        var id = started(spec());
        runtime().stop(id, GRACE);
        assertThatThrownBy(() -> run(id, "true"))
                .isInstanceOf(RuntimeFailure.class)
                .hasMessageContaining("not running");
    }

    private String as(io.bivouac.sandboxmodel.SandboxId id, String user, String line) {
        var options = new ExecOptions(Map.of(), null, user, ExecOptions.DEFAULT_TIMEOUT);
        return exec(id, List.of("sh", "-c", line), options).stdout().strip();
    }
}
