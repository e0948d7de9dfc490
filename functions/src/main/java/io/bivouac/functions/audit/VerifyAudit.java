package io.bivouac.functions.audit;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Role;
import io.bivouac.foundation.audit.Audit;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;

/** Checks that no row of the project's audit was changed, removed or put in between. */
@Tag(name = "audit")
@Controller("/api/v1/audit")
@ExecuteOn(TaskExecutors.BLOCKING)
class VerifyAudit {
    private final Audit audit;

    VerifyAudit(Audit audit) {
        this.audit = audit;
    }

    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Verdict(boolean intact, @Nullable Long firstBroken) {}

    @Get("/verify")
    @Operation(
            operationId = "verifyAudit",
            summary = "Checks that no row of the project's audit was changed, removed or put in between")
    Verdict verify(@Parameter(hidden = true) Caller caller) {
        caller.mustBe(Role.ADMIN);
        var broken = audit.firstBroken(caller.project());
        return new Verdict(broken.isEmpty(), broken.isPresent() ? broken.getAsLong() : null);
    }
}
