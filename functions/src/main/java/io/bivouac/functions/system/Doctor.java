package io.bivouac.functions.system;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.bivouac.foundation.access.Caller;
import io.bivouac.http.health.Examination;
import io.bivouac.sandboxmodel.runtime.Check;
import io.micronaut.context.annotation.Value;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.ArrayList;
import java.util.List;

/** Looks at what this server needs of its machine: what is fine, and what is wrong, costs and mends it. */
@Tag(name = "system")
@Controller("/api/v1/doctor")
@ExecuteOn(TaskExecutors.BLOCKING)
class Doctor {
    private final List<Examination> examinations;
    private final String version;

    Doctor(List<Examination> examinations, @Value("${bivouac.version:unknown}") String version) {
        this.examinations = examinations;
        this.version = version;
    }

    @Serdeable
    record Checkup(List<CheckView> checks) {}

    /**
     * One thing that was looked at.
     *
     * @param costs what does not work because of it, if something is wrong
     * @param remedy what mends it, if something is wrong
     */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record CheckView(
            String name,
            boolean ok,
            String seen,
            @Nullable String costs,
            @Nullable String remedy) {
        static CheckView of(Check check) {
            return new CheckView(check.name(), check.ok(), check.seen(), check.costs(), check.remedy());
        }
    }

    /** Whoever may log in hears about themselves; the machine is shown to whom the installation belongs. */
    @Get
    @Operation(
            operationId = "getCheckup",
            summary = "Looks at what the server needs of its machine, and says who the caller is")
    Checkup checkup(@Parameter(hidden = true) Caller caller) {
        var checks = new ArrayList<>(List.of(Check.fine("version", version), key(caller)));
        if (caller.system()) {
            examinations.forEach(examination -> checks.addAll(examination.examine()));
        }
        return new Checkup(checks.stream().map(CheckView::of).toList());
    }

    private static Check key(Caller caller) {
        return Check.fine(
                "key",
                "role " + caller.role().wireName() + " in project " + caller.project()
                        + (caller.system()
                                ? ", and system administrator"
                                : "; what the machine lacks is shown to system administrators"));
    }
}
