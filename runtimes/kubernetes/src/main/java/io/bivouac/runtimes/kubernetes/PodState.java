package io.bivouac.runtimes.kubernetes;

import io.bivouac.sandboxmodel.runtime.Instance;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What a Pod's status says about its sandbox.
 *
 * @param hopeless whether it can never run, for the reason that the detail gives
 * @param detail why it does not run, as a clause
 */
record PodState(Instance.State state, boolean hopeless, String detail) {
    /** Reasons to wait that do not pass by themselves. */
    private static final Set<String> HOPELESS = Set.of(
            "ErrImagePull",
            "ImagePullBackOff",
            "ErrImageNeverPull",
            "InvalidImageName",
            "ImageInspectError",
            "CreateContainerConfigError",
            "CreateContainerError",
            "RunContainerError");

    /** Reasons of an end without a beginning. */
    private static final Set<String> NEVER_RAN = Set.of("StartError", "ContainerCannotRun");

    static PodState of(Pod pod) {
        var ended = containers(pod)
                .map(ContainerStatus::getState)
                .map(ContainerState::getTerminated)
                .filter(terminated -> terminated != null)
                .filter(terminated -> terminated.getExitCode() != 0 || isWorkload(pod, terminated))
                .findFirst();
        if (ended.isPresent() || Set.of("Failed", "Succeeded").contains(phase(pod))) {
            return new PodState(
                    Instance.State.STOPPED,
                    ended.map(ContainerStateTerminated::getReason)
                            .filter(NEVER_RAN::contains)
                            .isPresent(),
                    ended.map(terminated -> howEnded(pod, terminated)).orElseGet(() -> pods(pod)));
        }
        if (pod.getMetadata().getDeletionTimestamp() != null) {
            return new PodState(Instance.State.STOPPED, false, pods(pod));
        }
        if (workload(pod)
                .map(ContainerStatus::getState)
                .map(ContainerState::getRunning)
                .isPresent()) {
            return nodeAnswers(pod)
                    ? new PodState(Instance.State.RUNNING, false, "it runs")
                    : new PodState(Instance.State.STOPPED, false, "its node " + node(pod) + " does not answer");
        }
        return waiting(pod);
    }

    private static PodState waiting(Pod pod) {
        var reason = containers(pod)
                .filter(status -> status.getState() != null && status.getState().getWaiting() != null)
                .map(status -> status.getState().getWaiting())
                .filter(waiting -> HOPELESS.contains(waiting.getReason()))
                .findFirst();
        if (reason.isPresent()) {
            return new PodState(
                    Instance.State.CREATED,
                    true,
                    reason.get().getReason() + sentence(reason.get().getMessage()) + ", image " + image(pod));
        }
        return new PodState(Instance.State.CREATED, false, unplaced(pod).orElse("its Pod is being started"));
    }

    /** Why no node takes it. */
    private static Optional<String> unplaced(Pod pod) {
        return condition(pod, "PodScheduled")
                .filter(condition -> "False".equals(condition.getStatus()))
                .map(condition -> "no node takes its Pod" + sentence(condition.getMessage()));
    }

    /** The control plane says so about every Pod of a node that is silent. */
    private static boolean nodeAnswers(Pod pod) {
        var ready = condition(pod, "Ready");
        return ready.isEmpty() || "True".equals(ready.get().getStatus()) || !containersReady(pod);
    }

    /** A node that is alive changes both conditions; the control plane changes only the first for one that is not. */
    private static boolean containersReady(Pod pod) {
        return condition(pod, "ContainersReady")
                .filter(condition -> "True".equals(condition.getStatus()))
                .isPresent();
    }

    private static String howEnded(Pod pod, ContainerStateTerminated terminated) {
        var reason = terminated.getReason();
        if (reason != null && NEVER_RAN.contains(reason)) {
            return "its first process could not be started" + sentence(terminated.getMessage()) + ", image "
                    + image(pod) + " (an image must carry the agent as " + PodRecipe.AGENT
                    + ", unless BIVOUAC_KUBERNETES_AGENT_IMAGE brings it)";
        }
        var memory = "OOMKilled".equals(reason) ? ", out of memory" : "";
        var why = pod.getStatus().getReason() == null && disrupted(pod).isEmpty() ? "" : "; " + pods(pod);
        return "ended with exit code " + terminated.getExitCode() + memory + why;
    }

    /** Why the Pod as a whole goes. */
    private static String pods(Pod pod) {
        var status = pod.getStatus();
        if (status.getReason() != null) {
            return "its Pod was ended by the cluster: " + status.getReason() + sentence(status.getMessage());
        }
        return disrupted(pod)
                .map(condition ->
                        "its Pod was ended by the cluster: " + condition.getReason() + sentence(condition.getMessage()))
                .orElse("its Pod was deleted");
    }

    private static Optional<PodCondition> disrupted(Pod pod) {
        return condition(pod, "DisruptionTarget").filter(condition -> "True".equals(condition.getStatus()));
    }

    private static Optional<PodCondition> condition(Pod pod, String type) {
        return pod.getStatus().getConditions().stream()
                .filter(condition -> condition.getType().equals(type))
                .findFirst();
    }

    private static Stream<ContainerStatus> containers(Pod pod) {
        return Stream.of(
                        pod.getStatus().getInitContainerStatuses(),
                        pod.getStatus().getContainerStatuses())
                .flatMap(List::stream);
    }

    private static Optional<ContainerStatus> workload(Pod pod) {
        return pod.getStatus().getContainerStatuses().stream().findFirst();
    }

    private static boolean isWorkload(Pod pod, ContainerStateTerminated terminated) {
        return workload(pod)
                .filter(status -> terminated.equals(status.getState().getTerminated()))
                .isPresent();
    }

    private static String image(Pod pod) {
        return pod.getSpec().getContainers().getFirst().getImage();
    }

    private static String node(Pod pod) {
        return String.valueOf(pod.getSpec().getNodeName());
    }

    private static String phase(Pod pod) {
        return String.valueOf(pod.getStatus().getPhase());
    }

    private static String sentence(String message) {
        return message == null || message.isBlank() ? "" : ": " + message.strip();
    }
}
