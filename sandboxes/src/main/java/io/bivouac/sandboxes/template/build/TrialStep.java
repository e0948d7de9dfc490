package io.bivouac.sandboxes.template.build;

import io.bivouac.sandboxmodel.template.Template;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Starts what the template starts, without a network as in a sandbox, and waits for its ready check. */
record TrialStep(Template template, ReadyCheck ready) implements Step {
    /** The start command is everything after {@code --}; the check is given as so many words before it. */
    private static final String TRY = """
            within=$1 words=$2; shift 2
            check=("${@:1:words}"); shift "$words"
            if [ $# -gt 0 ]; then "$@" & fi
            until=$((SECONDS + within))
            until "${check[@]}"; do
              if [ $SECONDS -ge $until ]; then echo "not ready within $within s: ${check[*]}" >&2; exit 1; fi
              [ $# -eq 0 ] && exit 1
              sleep 0.2
            done
            """;

    @Override
    public String title() {
        return "trial";
    }

    @Override
    public String recipe() {
        return String.join(" ", ready.command()) + String.join(" ", template.startCommand());
    }

    @Override
    public boolean changesNothing() {
        return true;
    }

    @Override
    public void run(Workbench bench) throws IOException {
        var argv = new ArrayList<>(List.of("bash", "-c", TRY, "bash"));
        argv.add(Long.toString(ready.within().toSeconds()));
        argv.add(Integer.toString(ready.command().size()));
        argv.addAll(ready.command());
        argv.addAll(template.startCommand());
        bench.asInSandbox(argv, template.envs());
    }
}
