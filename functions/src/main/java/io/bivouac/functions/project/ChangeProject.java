package io.bivouac.functions.project;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Project;
import io.bivouac.foundation.access.Projects;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Patch;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;

/** Changes how many sandboxes a project may have. */
@Tag(name = "projects")
@Controller("/api/v1/projects")
@ExecuteOn(TaskExecutors.BLOCKING)
class ChangeProject {
    private final Projects projects;

    ChangeProject(Projects projects) {
        this.projects = projects;
    }

    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    record ProjectChange(
            @Schema(minimum = "0", maximum = "" + ProjectLimits.MOST_SANDBOXES) @Nullable Integer sandboxLimit) {}

    @Patch("/{id}")
    @Operation(operationId = "changeProject", summary = "Changes how many sandboxes a project may have")
    Project change(String id, @Body ProjectChange change, @Parameter(hidden = true) Caller caller) {
        caller.mustBeSystem();
        var before = projects.get(id);
        return projects.changeLimit(caller, id, ProjectLimits.sandboxes(change.sandboxLimit(), before.sandboxLimit()));
    }
}
