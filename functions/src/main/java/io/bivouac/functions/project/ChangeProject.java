package io.bivouac.functions.project;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.bivouac.foundation.access.Caller;
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

/** Changes what a project may have. */
@Tag(name = "projects")
@Controller("/api/v1/projects")
@ExecuteOn(TaskExecutors.BLOCKING)
class ChangeProject {
    private final Projects projects;
    private final ProjectFigures figures;

    ChangeProject(Projects projects, ProjectFigures figures) {
        this.projects = projects;
        this.figures = figures;
    }

    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    record ProjectChange(
            @Schema(minimum = "0", maximum = "" + LimitsRequest.MOST) @Nullable Integer sandboxLimit,

            @Nullable LimitsRequest limits) {}

    @Patch("/{id}")
    @Operation(operationId = "changeProject", summary = "Changes what a project may have")
    ProjectView change(String id, @Body ProjectChange change, @Parameter(hidden = true) Caller caller) {
        caller.mustBeSystem();
        var limits = LimitsRequest.change(change.limits(), change.sandboxLimit());
        return figures.view(projects.changeLimits(caller, id, limits));
    }
}
