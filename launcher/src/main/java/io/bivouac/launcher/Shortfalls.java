package io.bivouac.launcher;

import io.bivouac.http.health.Examination;
import io.bivouac.sandboxmodel.runtime.Check;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.micronaut.context.ApplicationContext;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** What is wrong with this machine and what is not enforced on it, for whoever starts the server. */
record Shortfalls(CompletableFuture<List<Check>> checks, SandboxRuntime runtime) {
    /** Looks beside the rest of the start, which is not to get longer by it. */
    static Shortfalls lookFor(ApplicationContext services) {
        var checks = CompletableFuture.supplyAsync(() -> services.getBeansOfType(Examination.class).stream()
                .flatMap(examination -> examination.examine().stream())
                .filter(check -> !check.ok())
                .toList());
        return new Shortfalls(checks, services.getBean(SandboxRuntime.class));
    }

    void print(Progress progress) {
        var wrong = checks.join().stream()
                .map(check -> check.name() + ": " + check.costs() + " (" + check.seen() + ")")
                .toList();
        var lines = wrong.isEmpty() ? runtime.capabilities().notes() : wrong;
        if (!lines.isEmpty()) {
            progress.say("");
            progress.say("Not as it should be here (bivouac doctor says what mends it):");
            lines.forEach(line -> progress.say("  " + line));
        }
    }
}
