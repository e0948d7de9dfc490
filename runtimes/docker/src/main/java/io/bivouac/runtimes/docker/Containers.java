package io.bivouac.runtimes.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.exception.ConflictException;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.exception.NotModifiedException;
import com.github.dockerjava.api.model.Container;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.runtime.Installation;
import io.bivouac.sandboxmodel.runtime.Instance;
import io.bivouac.sandboxmodel.runtime.Labels;
import io.bivouac.sandboxmodel.runtime.NoSuchInstance;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import io.micronaut.core.annotation.Nullable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** This installation's containers on the engine. */
final class Containers {
    private static final long MILLIS = 1000;
    private static final long POLL_MILLIS = 20;
    private static final long LONGEST_REMOVAL_MILLIS = 10_000;

    private static final Comparator<InspectContainerResponse> BIRTH = Comparator.comparing(
                    (InspectContainerResponse container) -> Instant.parse(container.getCreated()))
            .thenComparing(InspectContainerResponse::getId);

    private final Engine engine;
    private final Installation installation;

    Containers(Engine engine, Installation installation) {
        this.engine = engine;
        this.installation = installation;
    }

    static String name(SandboxId id) {
        return "bivouac-" + id;
    }

    Optional<InspectContainerResponse> find(SandboxId id) {
        return engine.call("look for " + id, docker -> {
            try {
                var found = docker.inspectContainerCmd(name(id)).exec();
                return Optional.of(found).filter(container -> Ownership.owns(installation, labels(container)));
            } catch (NotFoundException e) {
                return Optional.empty();
            }
        });
    }

    InspectContainerResponse require(SandboxId id) {
        return find(id).orElseThrow(() -> new NoSuchInstance(id));
    }

    List<Instance> list() {
        return engine.call(
                "list containers",
                docker ->
                        docker
                                .listContainersCmd()
                                .withShowAll(true)
                                .withLabelFilter(Ownership.filter(installation))
                                .exec()
                                .stream()
                                .map(Containers::instance)
                                .toList());
    }

    /**
     * Whether no other container had this volume before. Two processes may take the same kept data over at the same
     * moment, and the engine would let them: each looks after it has made its container, so at least one sees both.
     */
    boolean isFirstWith(String volume, InspectContainerResponse container) {
        var filter = new ArrayList<>(Ownership.filter(installation));
        filter.add(DataVolumes.VOLUME_LABEL + "=" + volume);
        return engine.call(
                "look who has the volume " + volume,
                docker -> docker.listContainersCmd().withShowAll(true).withLabelFilter(filter).exec().stream()
                        .map(Container::getId)
                        .filter(other -> !other.equals(container.getId()))
                        .flatMap(other -> inspect(docker, other).stream())
                        .noneMatch(other -> BIRTH.compare(other, container) < 0));
    }

    private static Optional<InspectContainerResponse> inspect(DockerClient docker, String container) {
        try {
            return Optional.of(docker.inspectContainerCmd(container).exec());
        } catch (NotFoundException gone) {
            return Optional.empty();
        }
    }

    /** A paused one stays as it is. */
    void pause(SandboxId id, InspectContainerResponse container) {
        if (!isPaused(container)) {
            engine.call(
                    "pause " + id,
                    docker -> docker.pauseContainerCmd(container.getId()).exec());
        }
    }

    /** The engine neither starts, stops nor removes a paused one; any other stays as it is. */
    void resume(SandboxId id, InspectContainerResponse container) {
        if (isPaused(container)) {
            engine.call(
                    "resume " + id,
                    docker -> docker.unpauseContainerCmd(container.getId()).exec());
        }
    }

    private static boolean isPaused(InspectContainerResponse container) {
        return state(container.getState().getStatus()) == Instance.State.PAUSED;
    }

    void start(SandboxId id, String container) {
        engine.call("start " + id, docker -> {
            try {
                return docker.startContainerCmd(container).exec();
            } catch (NotModifiedException alreadyRunning) {
                return null;
            }
        });
    }

    void stop(SandboxId id, String container, Duration grace) {
        int seconds = Math.toIntExact((grace.toMillis() + MILLIS - 1) / MILLIS);
        engine.call("stop " + id, docker -> {
            try {
                return engine.patient()
                        .stopContainerCmd(container)
                        .withTimeout(seconds)
                        .exec();
            } catch (NotModifiedException alreadyStopped) {
                return null;
            }
        });
    }

    void remove(SandboxId id, String container) {
        engine.call("remove " + id, docker -> {
            try {
                // Volumes without a name, which an image may declare; named ones stay.
                return docker.removeContainerCmd(container)
                        .withForce(true)
                        .withRemoveVolumes(true)
                        .exec();
            } catch (NotFoundException alreadyGone) {
                return null;
            } catch (ConflictException alreadyGoing) {
                return awaitRemoved(id);
            }
        });
    }

    /** Another process is removing it; its volume is free only after that. */
    private @Nullable Void awaitRemoved(SandboxId id) {
        for (long waited = 0; find(id).isPresent(); waited += POLL_MILLIS) {
            if (waited > LONGEST_REMOVAL_MILLIS) {
                throw new RuntimeFailure("Docker takes too long to remove " + id + ".");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(POLL_MILLIS));
        }
        return null;
    }

    static Instance instance(SandboxId id, InspectContainerResponse container) {
        var labels = labels(container);
        var state = container.getState();
        return new Instance(
                id,
                labels.get(Labels.PROJECT),
                state(state.getStatus()),
                container.getId(),
                labels,
                Instant.parse(container.getCreated()),
                detail(state));
    }

    static Map<String, String> labels(InspectContainerResponse container) {
        return container.getConfig().getLabels();
    }

    private static Instance instance(Container container) {
        var labels = container.getLabels();
        var state = state(container.getState());
        return new Instance(
                new SandboxId(labels.get(Labels.SANDBOX)),
                labels.get(Labels.PROJECT),
                state,
                container.getId(),
                labels,
                Instant.ofEpochSecond(container.getCreated()),
                state == Instance.State.STOPPED ? container.getStatus() : null);
    }

    private static Instance.State state(String status) {
        return switch (status) {
            case "created" -> Instance.State.CREATED;
            case "running", "restarting" -> Instance.State.RUNNING;
            case "paused" -> Instance.State.PAUSED;
            default -> Instance.State.STOPPED;
        };
    }

    private static @Nullable String detail(InspectContainerResponse.ContainerState state) {
        if (state(state.getStatus()) != Instance.State.STOPPED) {
            return null;
        }
        var error = state.getError() == null || state.getError().isEmpty() ? "" : ": " + state.getError();
        var memory = Boolean.TRUE.equals(state.getOOMKilled()) ? ", out of memory" : "";
        return "ended with exit code " + state.getExitCodeLong() + memory + error;
    }
}
