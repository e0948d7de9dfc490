package io.bivouac.functions.project;

import io.bivouac.foundation.access.Project;
import io.bivouac.foundation.access.Projects;
import io.bivouac.functions.event.OpenStreams;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxmodel.ByteSize;
import jakarta.inject.Singleton;

/** Adds up what a project has. Thread-safe. */
@Singleton
class ProjectFigures {
    private final Projects projects;
    private final SandboxStore store;
    private final LiveTerminals terminals;
    private final OpenStreams streams;

    ProjectFigures(Projects projects, SandboxStore store, LiveTerminals terminals, OpenStreams streams) {
        this.projects = projects;
        this.store = store;
        this.terminals = terminals;
        this.streams = streams;
    }

    ProjectView view(Project project) {
        return new ProjectView(
                project.id(),
                project.name(),
                project.sandboxLimit(),
                project.createdAt(),
                LimitsView.of(projects.limits(project.id())),
                usage(project.id()));
    }

    private UsageView usage(String project) {
        var used = store.usage(project);
        return new UsageView(
                used.sandboxes(),
                terminals.of(project),
                streams.of(project),
                used.cpu(),
                ByteSize.format(used.memory()),
                ByteSize.format(used.disk()));
    }
}
