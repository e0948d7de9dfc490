package io.bivouac.http.health;

import io.micronaut.core.annotation.Nullable;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Asks each part that this process needs, side by side. Thread-safe. */
@Singleton
public class ReadinessChecks {
    private static final long WAIT_SECONDS = 4;

    private final List<ReadinessCheck> checks;
    private final ExecutorService sideBySide = Executors.newVirtualThreadPerTaskExecutor();

    ReadinessChecks(List<ReadinessCheck> checks) {
        this.checks = checks;
    }

    /** For each part what is wrong with it; empty where it is fine. */
    public Map<String, Optional<String>> ask() {
        var asked = new LinkedHashMap<String, Future<?>>();
        checks.forEach(check -> asked.put(check.part(), sideBySide.submit(() -> {
            check.check();
            return null;
        })));
        var answers = new LinkedHashMap<String, Optional<String>>();
        asked.forEach((part, answer) -> answers.put(part, Optional.ofNullable(wrong(answer))));
        return answers;
    }

    /** For each part that has something to say although it works, that. */
    Map<String, String> notes() {
        var notes = new LinkedHashMap<String, String>();
        checks.forEach(check -> check.note().ifPresent(note -> notes.put(check.part(), note)));
        return notes;
    }

    private static @Nullable String wrong(Future<?> answer) {
        try {
            answer.get(WAIT_SECONDS, TimeUnit.SECONDS);
            return null;
        } catch (ExecutionException failed) {
            return String.valueOf(failed.getCause().getMessage());
        } catch (TimeoutException slow) {
            answer.cancel(true);
            return "no answer within " + WAIT_SECONDS + " s";
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return "the server is stopping";
        }
    }

    @PreDestroy
    void close() {
        sideBySide.shutdownNow();
    }
}
