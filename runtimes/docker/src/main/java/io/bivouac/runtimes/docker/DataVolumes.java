package io.bivouac.runtimes.docker;

import com.github.dockerjava.api.command.InspectVolumeResponse;
import com.github.dockerjava.api.exception.ConflictException;
import com.github.dockerjava.api.exception.NotFoundException;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.runtime.Installation;
import io.bivouac.sandboxmodel.runtime.InstanceSpec;
import io.bivouac.sandboxmodel.runtime.Labels;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime.KeptData;
import io.micronaut.core.annotation.Nullable;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The volumes that hold sandboxes' data. The labels of a volume never change, so data that is kept gets a marker,
 * an empty volume {@code bivouac-kept-{id}} whose labels say since when, and which volume it is: after a takeover
 * that is the volume of the sandbox before.
 */
final class DataVolumes {
    /** On containers and markers: the name of the volume with the data. */
    static final String VOLUME_LABEL = "bivouac.volume";

    private static final String KEPT_AT_LABEL = "bivouac.kept-at";
    private static final String CREATED_AT_LABEL = "bivouac.created-at";
    private static final String BYTES_LABEL = "bivouac.bytes";

    private final Engine engine;
    private final Installation installation;

    /** Of kept volumes whose marker does not say it. Nobody writes to them, so once is enough. */
    private final Map<String, Long> measured = new ConcurrentHashMap<>();

    DataVolumes(Engine engine, Installation installation) {
        this.engine = engine;
        this.installation = installation;
    }

    /** The volume for a new container: its own kept data, another sandbox's that it takes over, or an empty one. */
    String claim(InstanceSpec spec) {
        var own = kept(spec.id());
        if (own.isPresent()) {
            return own.get().volume();
        }
        var before = spec.workspaceOf();
        if (before != null) {
            return kept(before)
                    .filter(kept -> kept.project().equals(spec.project()))
                    .map(Kept::volume)
                    .orElseThrow(() -> new RuntimeFailure("There is no kept data of " + before + "."));
        }
        var labels = new HashMap<>(Labels.of(spec, installation));
        labels.put(CREATED_AT_LABEL, Instant.now().toString());
        return create("bivouac-data-" + spec.id(), labels);
    }

    /** Says that a container has the data now, so it is no longer merely kept. */
    void claimed(InstanceSpec spec) {
        removeMarker(spec.id());
        if (spec.workspaceOf() != null) {
            removeMarker(spec.workspaceOf());
        }
    }

    /** Remembers, before its container goes, whose data a volume is. */
    void keep(SandboxId id, String project, String volume) {
        create(
                marker(id),
                Map.of(
                        Labels.BIVOUAC,
                        "true",
                        Labels.SANDBOX,
                        id.value(),
                        Labels.PROJECT,
                        project,
                        Labels.INSTALLATION,
                        installation.id(),
                        Labels.HOST,
                        installation.host(),
                        VOLUME_LABEL,
                        volume,
                        KEPT_AT_LABEL,
                        Instant.now().toString(),
                        BYTES_LABEL,
                        Long.toString(size(volume))));
    }

    void remove(SandboxId id) {
        kept(id).ifPresent(kept -> removeVolume(kept.volume()));
        removeMarker(id);
    }

    List<KeptData> list() {
        var all = all();
        measured.keySet().retainAll(all.stream().map(Kept::volume).toList());
        return all.stream()
                .map(kept -> new KeptData(kept.id(), kept.project(), bytes(kept), kept.since()))
                .sorted(Comparator.comparing(KeptData::keptAt))
                .toList();
    }

    private long bytes(Kept kept) {
        return kept.bytes() != null
                ? Long.parseLong(kept.bytes())
                : measured.computeIfAbsent(kept.volume(), _ -> FolderSize.of(kept.folder()));
    }

    long size(String volume) {
        return engine.call("look at the volume " + volume, docker -> {
            try {
                return FolderSize.of(
                        Path.of(docker.inspectVolumeCmd(volume).exec().getMountpoint()));
            } catch (NotFoundException e) {
                return 0L;
            }
        });
    }

    private Optional<Kept> kept(SandboxId id) {
        return all().stream().filter(kept -> kept.id().equals(id)).findFirst();
    }

    /** Data volumes without a container, each under the name of the last sandbox that had it. */
    private List<Kept> all() {
        var unused = engine.call(
                "list volumes",
                docker -> docker.listVolumesCmd()
                        .withDanglingFilter(true)
                        .withFilter("label", Ownership.filter(installation))
                        .exec()
                        .getVolumes());
        if (unused == null) {
            return List.of();
        }
        var markers = new HashMap<String, InspectVolumeResponse>();
        var volumes = new ArrayList<InspectVolumeResponse>();
        for (var volume : unused) {
            var marked = volume.getLabels().get(VOLUME_LABEL);
            if (marked == null) {
                volumes.add(volume);
            } else {
                markers.merge(marked, volume, (one, other) -> since(one).isAfter(since(other)) ? one : other);
            }
        }
        return volumes.stream()
                .map(volume -> {
                    var owner = markers.getOrDefault(volume.getName(), volume);
                    return new Kept(
                            new SandboxId(owner.getLabels().get(Labels.SANDBOX)),
                            owner.getLabels().get(Labels.PROJECT),
                            volume.getName(),
                            Path.of(volume.getMountpoint()),
                            owner.getLabels().get(BYTES_LABEL),
                            since(owner));
                })
                .toList();
    }

    /** When it was kept; of a volume that lost its container in another way only its birth is known. */
    private static Instant since(InspectVolumeResponse volume) {
        var labels = volume.getLabels();
        return Instant.parse(labels.getOrDefault(KEPT_AT_LABEL, labels.get(CREATED_AT_LABEL)));
    }

    /** The engine gives back a volume that exists under this name, whoever made it. */
    private String create(String name, Map<String, String> labels) {
        return engine.call("make the volume " + name, docker -> {
            docker.createVolumeCmd().withName(name).withLabels(labels).exec();
            if (!Ownership.owns(
                    installation, docker.inspectVolumeCmd(name).exec().getLabels())) {
                throw new RuntimeFailure("The volume " + name + " belongs to another installation.");
            }
            return name;
        });
    }

    void removeVolume(String name) {
        engine.call("remove the volume " + name, docker -> {
            try {
                return docker.removeVolumeCmd(name).exec();
            } catch (NotFoundException e) {
                return null;
            } catch (ConflictException e) {
                throw new RuntimeFailure("The volume " + name + " is in use by another sandbox.", e);
            }
        });
    }

    private void removeMarker(SandboxId id) {
        boolean ours = engine.call("look for kept data", docker -> {
            try {
                return Ownership.owns(
                        installation, docker.inspectVolumeCmd(marker(id)).exec().getLabels());
            } catch (NotFoundException e) {
                return false;
            }
        });
        if (ours) {
            removeVolume(marker(id));
        }
    }

    private static String marker(SandboxId id) {
        return "bivouac-kept-" + id;
    }

    /** @param bytes as the marker says; null without one */
    private record Kept(
            SandboxId id,
            String project,
            String volume,
            Path folder,
            @Nullable String bytes,
            Instant since) {}
}
