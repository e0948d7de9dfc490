package io.bivouac.webhooks.endpoint;

import io.micronaut.core.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Every endpoint of the installation, at hand. {@link #refresh} brings it to what is committed: an event that was said
 * after an endpoint was made is never matched against a directory from before. Thread-safe.
 */
@Singleton
public class EndpointDirectory {
    private final EndpointRows rows;
    private final EncryptedEndpoints sealed;
    private final Map<String, Endpoint> byId = new ConcurrentHashMap<>();
    private final Map<String, List<Endpoint>> byProject = new ConcurrentHashMap<>();
    private long generation = -1;

    EndpointDirectory(EndpointRows rows, EncryptedEndpoints sealed) {
        this.rows = rows;
        this.sealed = sealed;
    }

    /** Throws when the database is away: what is at hand may then be too old to be used. */
    public synchronized void refresh() {
        var changed = rows.changedSince(generation);
        if (changed.isEmpty()) {
            return;
        }
        for (var row : changed) {
            if (row.deletedAt() == null) {
                byId.put(row.id(), sealed.endpoint(row));
            } else {
                byId.remove(row.id());
            }
        }
        var projects = changed.stream().map(EndpointRow::projectId).collect(Collectors.toSet());
        var present = byId.values().stream()
                .filter(endpoint -> projects.contains(endpoint.project()))
                .collect(Collectors.groupingBy(Endpoint::project));
        projects.forEach(project -> byProject.put(project, present.getOrDefault(project, List.of())));
        generation = changed.getLast().generation();
    }

    public List<Endpoint> ofProject(String project) {
        return byProject.getOrDefault(project, List.of());
    }

    @Nullable public Endpoint find(String id) {
        return byId.get(id);
    }

    public Collection<Endpoint> all() {
        return byId.values();
    }
}
