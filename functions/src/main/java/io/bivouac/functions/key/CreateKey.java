package io.bivouac.functions.key;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.bivouac.foundation.access.ApiKeys;
import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Role;
import io.bivouac.foundation.database.StorableText;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;

/** Makes a key and shows its text this once. */
@Tag(name = "keys")
@Controller("/api/v1/keys")
@ExecuteOn(TaskExecutors.BLOCKING)
class CreateKey {
    static final int LONGEST_NAME = 128;

    private final ApiKeys keys;

    CreateKey(ApiKeys keys) {
        this.keys = keys;
    }

    /** Without a role the key is a developer's. */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    record KeyRequest(
            @Schema(
                    requiredMode = Schema.RequiredMode.REQUIRED,
                    pattern = "\\S",
                    maxLength = LONGEST_NAME,
                    example = "ci")
            @Nullable String name,

            @Schema(allowableValues = {"admin", "developer", "viewer"}) @Nullable String role,

            @Nullable Boolean system) {}

    @Post
    @Status(HttpStatus.CREATED)
    @Operation(operationId = "createKey", summary = "Makes a key and shows its text this once")
    HttpResponse<KeyView> create(@Body KeyRequest request, @Parameter(hidden = true) Caller caller) {
        caller.mustBe(Role.ADMIN);
        var name = request.name();
        if (name == null || name.isBlank() || name.length() > LONGEST_NAME) {
            throw new BivouacException(
                    ErrorCode.INVALID_REQUEST, "name must have 1 to " + LONGEST_NAME + " characters.");
        }
        var made = keys.make(
                caller,
                StorableText.checked("name", name),
                roleNamed(request.role()),
                Boolean.TRUE.equals(request.system()));
        return HttpResponse.created(KeyView.of(made.key(), made.text().value()));
    }

    private static Role roleNamed(@Nullable String name) {
        if (name == null) {
            return Role.DEVELOPER;
        }
        return Role.ofWireName(name)
                .orElseThrow(() ->
                        new BivouacException(ErrorCode.INVALID_REQUEST, "role must be admin, developer or viewer."));
    }
}
