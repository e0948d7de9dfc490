package io.bivouac.functions.system;

import io.bivouac.http.health.Examination;
import io.bivouac.sandboxes.lifecycle.RuntimeHealth;
import io.bivouac.sandboxmodel.runtime.Check;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;

/** What the runtime needs, and whether its last trial worked. */
@Singleton
class RuntimeExamination implements Examination {
    private final SandboxRuntime runtime;
    private final RuntimeHealth health;

    RuntimeExamination(SandboxRuntime runtime, RuntimeHealth health) {
        this.runtime = runtime;
        this.health = health;
    }

    @Override
    public List<Check> examine() {
        var checks = new ArrayList<Check>();
        checks.add(trial());
        checks.addAll(runtime.examine());
        return checks;
    }

    private Check trial() {
        return health.fault()
                .map(fault -> Check.wrong(
                        "trial sandbox",
                        fault,
                        "No sandbox can be started; creates are refused at once.",
                        "mend what the other checks name; the server tries again every 10 s and needs no restart"))
                .orElseGet(() -> Check.fine("trial sandbox", runtime.name() + " made, started and removed one"));
    }
}
