package io.bivouac.identity;

import io.bivouac.foundation.access.Projects;
import jakarta.inject.Singleton;

/** Where the sessions and the audit of those who come with a WebID are kept. Thread-safe. */
@Singleton
public class GuestProject {
    private final Projects projects;
    private final SolidSettings settings;
    private volatile String found;

    GuestProject(Projects projects, SolidSettings settings) {
        this.projects = projects;
        this.settings = settings;
    }

    public String id() {
        if (found == null) {
            found = settings.getProject() == null
                    ? projects.oldest().id()
                    : projects.get(settings.getProject()).id();
        }
        return found;
    }
}
