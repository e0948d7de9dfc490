package io.bivouac.functions.key;

import io.bivouac.foundation.access.ApiKeys;
import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Role;
import io.bivouac.http.Listing;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;

/** Lists the project's keys, revoked ones included, without their text. */
@Tag(name = "keys")
@Controller("/api/v1/keys")
@ExecuteOn(TaskExecutors.BLOCKING)
class ListKeys {
    private final ApiKeys keys;

    ListKeys(ApiKeys keys) {
        this.keys = keys;
    }

    @Get
    @Operation(
            operationId = "listKeys",
            summary = "Lists the project's keys, revoked ones included, without their text")
    Listing<KeyView> list(
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            @Parameter(hidden = true) Caller caller) {
        caller.mustBe(Role.ADMIN);
        return Listing.of(keys.list(caller, cursor, Listing.limit(limit)).map(key -> KeyView.of(key, null)));
    }
}
