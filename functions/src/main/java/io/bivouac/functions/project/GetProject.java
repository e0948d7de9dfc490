package io.bivouac.functions.project;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Projects;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;

/** Shows a project, its limits and what it uses of them: to its own callers, and to the system's administrator. */
@Tag(name = "projects")
@Controller("/api/v1/projects")
@ExecuteOn(TaskExecutors.BLOCKING)
class GetProject {
    /** The caller's own project, for those who do not know its id. */
    static final String CURRENT = "current";

    private final Projects projects;
    private final ProjectFigures figures;

    GetProject(Projects projects, ProjectFigures figures) {
        this.projects = projects;
        this.figures = figures;
    }

    @Get("/{id}")
    @Operation(operationId = "getProject", summary = "Shows a project, its limits and what it uses of them")
    ProjectView get(
            @Parameter(description = "its id, or `current` for the caller's own") String id,
            @Parameter(hidden = true) Caller caller) {
        var wanted = CURRENT.equals(id) ? caller.project() : id;
        if (!caller.system()) {
            caller.mustOwn(wanted, "Project " + wanted);
        }
        return figures.view(projects.get(wanted));
    }
}
