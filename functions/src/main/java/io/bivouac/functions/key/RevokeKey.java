package io.bivouac.functions.key;

import io.bivouac.foundation.access.ApiKeys;
import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Role;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Status;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;

/** Ends a key: the next request with it is refused. */
@Tag(name = "keys")
@Controller("/api/v1/keys")
@ExecuteOn(TaskExecutors.BLOCKING)
class RevokeKey {
    private final ApiKeys keys;

    RevokeKey(ApiKeys keys) {
        this.keys = keys;
    }

    @Delete("/{id}")
    @Status(HttpStatus.NO_CONTENT)
    @Operation(operationId = "revokeKey", summary = "Ends a key")
    HttpResponse<Void> revoke(String id, @Parameter(hidden = true) Caller caller) {
        caller.mustBe(Role.ADMIN);
        keys.revoke(caller, id);
        return HttpResponse.noContent();
    }
}
