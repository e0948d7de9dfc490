package io.bivouac.http.health;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.security.SecurityRequirements;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Says whether this process can work now: each part that it needs is really asked. */
@Tag(name = "system")
@SecurityRequirements
@Controller("/ready")
@ExecuteOn(TaskExecutors.BLOCKING)
class Ready {
    private static final long WAIT_SECONDS = 4;

    private final List<ReadinessCheck> checks;
    private final ExecutorService sideBySide = Executors.newVirtualThreadPerTaskExecutor();

    Ready(List<ReadinessCheck> checks) {
        this.checks = checks;
    }

    @Serdeable
    record Readiness(String status, Map<String, Part> checks) {}

    /** @param detail what is wrong, if something is */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Part(String status, @Nullable String detail) {}

    @Get
    HttpResponse<Readiness> ready() {
        var asked = new LinkedHashMap<String, Future<?>>();
        checks.forEach(check -> asked.put(check.part(), sideBySide.submit(() -> {
            check.check();
            return null;
        })));
        var parts = new LinkedHashMap<String, Part>();
        asked.forEach((part, answer) -> parts.put(part, outcome(answer)));
        boolean up = parts.values().stream().allMatch(part -> part.status().equals("UP"));
        var readiness = new Readiness(up ? "UP" : "DOWN", parts);
        return up
                ? HttpResponse.ok(readiness)
                : HttpResponse.status(HttpStatus.SERVICE_UNAVAILABLE).body(readiness);
    }

    private static Part outcome(Future<?> answer) {
        try {
            answer.get(WAIT_SECONDS, TimeUnit.SECONDS);
            return new Part("UP", null);
        } catch (ExecutionException failed) {
            return new Part("DOWN", failed.getCause().getMessage());
        } catch (TimeoutException slow) {
            answer.cancel(true);
            return new Part("DOWN", "no answer within " + WAIT_SECONDS + " s");
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return new Part("DOWN", "the server is stopping");
        }
    }
}
