package io.bivouac.functions.system;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.audit.Audit;
import io.bivouac.sandboxes.lifecycle.Expiry;
import io.bivouac.sandboxes.lifecycle.HostKeeper;
import io.bivouac.sandboxes.lifecycle.Housekeeping;
import io.bivouac.sandboxes.lifecycle.Reconciliation.Round;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;

/** Does now what would be done anyway in time: ends the overdue, removes orphans, forgets old rows. */
@Tag(name = "system")
@Controller("/api/v1/gc")
@ExecuteOn(TaskExecutors.BLOCKING)
class CollectGarbage {
    private final Expiry expiry;
    private final HostKeeper keeper;
    private final Housekeeping housekeeping;
    private final Audit audit;

    CollectGarbage(Expiry expiry, HostKeeper keeper, Housekeeping housekeeping, Audit audit) {
        this.expiry = expiry;
        this.keeper = keeper;
        this.housekeeping = housekeeping;
        this.audit = audit;
    }

    @Serdeable
    record Collected(int expired, int orphansRemoved, int rowsFailed, int workFinished, int rowsForgotten) {}

    @Post
    @Operation(operationId = "collectGarbage", summary = "Does now what would be done anyway in time")
    Collected collect(@Parameter(hidden = true) Caller caller) {
        caller.mustBeSystem();
        audit.append(caller.project(), caller.id(), "system.gc", "system", "");
        int expired = expiry.sweep();
        var round = keeper.roundNow().orElse(new Round(0, 0, 0));
        return new Collected(
                expired, round.orphansRemoved(), round.rowsFailed(), round.workFinished(), housekeeping.run());
    }
}
