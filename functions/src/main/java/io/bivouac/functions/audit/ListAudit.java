package io.bivouac.functions.audit;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Role;
import io.bivouac.foundation.audit.Audit;
import io.bivouac.foundation.audit.AuditRow;
import io.bivouac.http.Answers;
import io.bivouac.http.Listing;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.HexFormat;

/** Lists who did what in the project, the newest first. */
@Tag(name = "audit")
@Controller("/api/v1/audit")
@ExecuteOn(TaskExecutors.BLOCKING)
class ListAudit {
    private final Audit audit;
    private final Answers answers;

    ListAudit(Audit audit, Answers answers) {
        this.audit = audit;
        this.answers = answers;
    }

    @Serdeable
    record AuditView(
            long sequence,
            Instant at,
            String actor,
            String action,
            String subject,
            @Nullable String detail,
            String previous,
            String hash) {
        static AuditView of(AuditRow row) {
            var hex = HexFormat.of();
            return new AuditView(
                    row.sequence(),
                    row.at(),
                    row.actor(),
                    row.action(),
                    row.subject(),
                    row.detail(),
                    hex.formatHex(row.previous()),
                    hex.formatHex(row.hash()));
        }
    }

    @Get
    @Operation(operationId = "listAudit", summary = "Lists who did what in the project, the newest first")
    Listing<AuditView> list(
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            @Parameter(hidden = true) Caller caller) {
        caller.mustBe(Role.ADMIN);
        long before = Listing.number(cursor, Long.MAX_VALUE);
        int most = Listing.limit(limit);
        return Listing.of(answers.page(
                caller, () -> audit.list(caller.project(), before, most).map(AuditView::of)));
    }
}
