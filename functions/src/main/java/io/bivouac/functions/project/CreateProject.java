package io.bivouac.functions.project;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Projects;
import io.bivouac.http.Refuses;
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
import java.time.Instant;
import java.util.regex.Pattern;

/** Makes a project and its first key, an admin's, which is shown this once. */
@Tag(name = "projects")
@Controller("/api/v1/projects")
@ExecuteOn(TaskExecutors.BLOCKING)
class CreateProject {
    private static final String NAMES = "[a-z0-9][a-z0-9-]{0,62}";
    private static final Pattern NAME = Pattern.compile(NAMES);

    private final Projects projects;

    CreateProject(Projects projects) {
        this.projects = projects;
    }

    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    record ProjectRequest(
            @Schema(requiredMode = Schema.RequiredMode.REQUIRED, pattern = "^" + NAMES + "$", example = "team-a")
            @Nullable String name,

            @Schema(minimum = "0", maximum = "" + LimitsRequest.MOST) @Nullable Integer sandboxLimit,

            @Nullable LimitsRequest limits) {}

    @Serdeable
    record MadeProject(String id, String name, int sandboxLimit, Instant createdAt, String key) {}

    @Post
    @Status(HttpStatus.CREATED)
    @Refuses(ErrorCode.CONFLICT)
    @Operation(
            operationId = "createProject",
            summary = "Makes a project and its first key, an admin's, which is shown this once")
    HttpResponse<MadeProject> create(@Body ProjectRequest request, @Parameter(hidden = true) Caller caller) {
        caller.mustBeSystem();
        if (request.name() == null || !NAME.matcher(request.name()).matches()) {
            throw new BivouacException(
                    ErrorCode.INVALID_REQUEST, "name must be of lower-case letters, digits and dashes, at most 63.");
        }
        var limits = LimitsRequest.change(request.limits(), request.sandboxLimit());
        var made = projects.make(caller, request.name(), limits);
        var project = made.project();
        return HttpResponse.created(new MadeProject(
                project.id(),
                project.name(),
                project.sandboxLimit(),
                project.createdAt(),
                made.firstKey().value()));
    }
}
