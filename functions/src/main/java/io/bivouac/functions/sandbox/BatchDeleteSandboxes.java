package io.bivouac.functions.sandbox;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Role;
import io.bivouac.http.KnownFailures;
import io.bivouac.sandboxes.lifecycle.EndSandboxes;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxNames;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes up to fifty sandboxes side by side and says how each went. */
@Tag(name = "sandboxes")
@Controller("/api/v1/sandboxes")
@ExecuteOn(TaskExecutors.BLOCKING)
class BatchDeleteSandboxes {
    static final int MOST = 50;

    private static final Logger LOG = LoggerFactory.getLogger(BatchDeleteSandboxes.class);

    private final EndSandboxes ends;
    private final SandboxNames names;

    BatchDeleteSandboxes(EndSandboxes ends, SandboxNames names) {
        this.ends = ends;
        this.names = names;
    }

    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    record BatchRequest(
            @ArraySchema(minItems = 1, maxItems = MOST) @Nullable List<String> ids,

            @Nullable Boolean keepWorkspace) {}

    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record BatchResult(List<String> succeeded, List<Failed> failed) {}

    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record Failed(String id, FailedError error) {}

    @Serdeable
    record FailedError(int code, String name, String message) {
        static FailedError of(ErrorCode code, String message) {
            return new FailedError(code.number(), code.name(), message);
        }
    }

    @Post("/batch-delete")
    @Operation(
            operationId = "batchDeleteSandboxes",
            summary = "Deletes up to fifty sandboxes side by side and says how each went")
    BatchResult delete(@Body BatchRequest request, @Parameter(hidden = true) Caller caller) {
        caller.mustBe(Role.DEVELOPER);
        var ids = request.ids();
        if (ids == null || ids.isEmpty() || ids.size() > MOST) {
            throw new BivouacException(ErrorCode.INVALID_REQUEST, "ids must have 1 to " + MOST + " entries.");
        }
        if (ids.stream().anyMatch(Objects::isNull)) {
            throw new BivouacException(ErrorCode.INVALID_REQUEST, "ids must be a list of ids.");
        }
        boolean keepWorkspace = Boolean.TRUE.equals(request.keepWorkspace());
        var outcomes = new LinkedHashMap<String, Future<?>>();
        try (var sideBySide = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var id : new LinkedHashSet<>(ids)) {
                outcomes.put(id, sideBySide.submit(() -> ends.delete(meant(id, caller), keepWorkspace, caller)));
            }
        }
        var succeeded = new ArrayList<String>();
        var failed = new ArrayList<Failed>();
        outcomes.forEach((id, outcome) -> {
            var error = errorOf(id, outcome);
            if (error == null) {
                succeeded.add(id);
            } else {
                failed.add(new Failed(id, error));
            }
        });
        return new BatchResult(succeeded, failed);
    }

    private SandboxId meant(String text, Caller caller) {
        return SandboxId.isOne(text) ? new SandboxId(text) : names.find(caller.project(), text);
    }

    private static @Nullable FailedError errorOf(String id, Future<?> outcome) {
        try {
            outcome.get();
            return null;
        } catch (ExecutionException failed) {
            var known = KnownFailures.of(failed.getCause());
            if (known.isPresent()) {
                return FailedError.of(known.get().code(), known.get().getMessage());
            }
            LOG.error("Deleting {} failed", id, failed.getCause());
            return FailedError.of(ErrorCode.INTERNAL_ERROR, "Something went wrong on our side.");
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return FailedError.of(ErrorCode.UNAVAILABLE, "The server is stopping.");
        }
    }
}
