package io.bivouac.runtimes.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.sandboxmodel.runtime.Check;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineExaminationTest {
    @TempDir
    Path scratch;

    @Test
    void aMachineOnWhichSandboxesAreMadeHasNothingWrong() throws IOException {
        try (var machine = new TestMachine();
                var runtime = machine.runtime()) {
            assertThat(runtime.examine())
                    .extracting(Check::name)
                    .containsExactly(
                            "bubblewrap", "user namespaces", "subordinate ids", "cgroups", "loop devices", "fuse");
            assertThat(runtime.examine()).filteredOn(check -> !check.ok()).isEmpty();
        }
    }

    @Test
    void aMissingBubblewrapIsToldWithWhatItCostsAndMendsIt() {
        var settings = BubblewrapSettings.defaults().with(Path.of("/no/such/bwrap"));
        var checks = new MachineExamination(settings, Path.of("/no/such/agent"), scratch).run();
        assertThat(checks.getFirst())
                .isEqualTo(
                        Check.wrong(
                                "bubblewrap",
                                "there is no program /no/such/bwrap",
                                "No sandbox can be made.",
                                "apt-get install bubblewrap (or dnf, pacman, apk), or set BIVOUAC_BUBBLEWRAP_BWRAP to its place"));
        assertThat(scratch).isEmptyDirectory();
    }
}
