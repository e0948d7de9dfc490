package io.bivouac.functions.project;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Project;
import io.bivouac.foundation.access.Projects;
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

/** Lists all projects. */
@Tag(name = "projects")
@Controller("/api/v1/projects")
@ExecuteOn(TaskExecutors.BLOCKING)
class ListProjects {
    private final Projects projects;

    ListProjects(Projects projects) {
        this.projects = projects;
    }

    @Get
    @Operation(operationId = "listProjects", summary = "Lists all projects")
    Listing<Project> list(
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            @Parameter(hidden = true) Caller caller) {
        return Listing.of(projects.list(caller, cursor, Listing.limit(limit)));
    }
}
