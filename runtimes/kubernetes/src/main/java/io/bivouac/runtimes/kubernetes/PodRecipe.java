package io.bivouac.runtimes.kubernetes;

import io.bivouac.sandboxmodel.Resources;
import io.bivouac.sandboxmodel.runtime.Installation;
import io.bivouac.sandboxmodel.runtime.InstanceSpec;
import io.bivouac.sandboxmodel.runtime.Labels;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.SecurityContextBuilder;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import io.micronaut.core.annotation.Nullable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a sandbox's Pod may use and what it sees. */
final class PodRecipe {
    static final String CONTAINER = "sandbox";
    static final String AGENT = "/.bivouac/bivouac-agent";
    static final String WORKSPACE = "/workspace";
    static final String HOME = "/home/sandbox";
    static final int USER = 1000;

    private static final String AGENT_FOLDER = "/.bivouac";
    private static final String AGENT_VOLUME = "agent";
    private static final String WORKSPACE_VOLUME = "workspace";
    private static final String AGENT_VARIABLE = "BIVOUAC_AGENT";

    /** After TERM; an agent ends within moments. */
    private static final long GRACE_SECONDS = 10;

    /** What the agent needs to run commands as other users and to end them. */
    private static final List<String> AGENT_CAPABILITIES =
            List.of("SETUID", "SETGID", "SETPCAP", "KILL", "CHOWN", "DAC_OVERRIDE", "FOWNER");

    private final KubernetesSettings settings;
    private final Installation installation;

    PodRecipe(KubernetesSettings settings, Installation installation) {
        this.settings = settings;
        this.installation = installation;
    }

    /** The variables of the sandbox; they are kept in its Secret. */
    static Map<String, String> environment(InstanceSpec spec) {
        var environment = new LinkedHashMap<>(spec.template().envs());
        environment.putAll(spec.envs());
        return environment;
    }

    Pod pod(InstanceSpec spec, String image, @Nullable String claim, PodOptions options) {
        var id = spec.id().value();
        var pod = new PodBuilder()
                .withNewMetadata()
                .withName(id)
                .withLabels(Labels.of(spec, installation))
                .endMetadata()
                .withNewSpec()
                .withHostname("sandbox")
                .withRestartPolicy("Never")
                .withTerminationGracePeriodSeconds(GRACE_SECONDS)
                .withAutomountServiceAccountToken(false)
                .withEnableServiceLinks(false)
                // Nothing answers there: whoever looks a name up hears so at once. Ways out go through the agent.
                .withDnsPolicy("None")
                .withNewDnsConfig()
                .withNameservers("127.0.0.1")
                .endDnsConfig()
                .withRuntimeClassName(options.runtimeClass())
                .withNodeSelector(options.nodeSelector())
                .withTolerations(options.tolerations())
                .withImagePullSecrets(settings.getPullSecrets().stream()
                        .map(LocalObjectReference::new)
                        .toList())
                .withNewSecurityContext()
                .withNewSeccompProfile()
                .withType("RuntimeDefault")
                .endSeccompProfile()
                .endSecurityContext()
                .withContainers(container(spec, image, claim))
                .endSpec();
        if (options.userNamespace()) {
            pod.editSpec().withHostUsers(false).endSpec();
        }
        if (claim != null) {
            pod.editSpec()
                    .addToVolumes(new VolumeBuilder()
                            .withName(WORKSPACE_VOLUME)
                            .withNewPersistentVolumeClaim()
                            .withClaimName(claim)
                            .endPersistentVolumeClaim()
                            .build())
                    .endSpec();
        }
        if (settings.getAgentImage() != null) {
            pod.editSpec()
                    .addToVolumes(new VolumeBuilder()
                            .withName(AGENT_VOLUME)
                            .withNewEmptyDir()
                            .endEmptyDir()
                            .build())
                    .withInitContainers(agentBringer(settings.getAgentImage()))
                    .endSpec();
        }
        return pod.build();
    }

    private Container container(InstanceSpec spec, String image, @Nullable String claim) {
        var container = new ContainerBuilder()
                .withName(CONTAINER)
                .withImage(image)
                .withImagePullPolicy(settings.getPull().policy())
                .withCommand(AGENT, "pod")
                .withEnv(variables(spec))
                .withResources(resources(spec.resources()))
                .withSecurityContext(security(AGENT_CAPABILITIES));
        if (claim != null) {
            container.addToVolumeMounts(new VolumeMountBuilder()
                    .withName(WORKSPACE_VOLUME)
                    .withMountPath(WORKSPACE)
                    .build());
        }
        if (settings.getAgentImage() != null) {
            container.addToVolumeMounts(new VolumeMountBuilder()
                    .withName(AGENT_VOLUME)
                    .withMountPath(AGENT_FOLDER)
                    .withReadOnly(true)
                    .build());
        }
        return container.build();
    }

    private Container agentBringer(String image) {
        return new ContainerBuilder()
                .withName(AGENT_VOLUME)
                .withImage(image)
                .withImagePullPolicy(settings.getPull().policy())
                // Its entrypoint is the agent.
                .withArgs("install", "/agent")
                .withSecurityContext(security(List.of()))
                .addToVolumeMounts(new VolumeMountBuilder()
                        .withName(AGENT_VOLUME)
                        .withMountPath("/agent")
                        .build())
                .build();
    }

    private static SecurityContext security(List<String> capabilities) {
        return new SecurityContextBuilder()
                .withRunAsUser(0L)
                .withPrivileged(false)
                .withAllowPrivilegeEscalation(false)
                .withNewCapabilities()
                .withDrop("ALL")
                .withAdd(capabilities)
                .endCapabilities()
                .build();
    }

    private static List<EnvVar> variables(InstanceSpec spec) {
        var variables = new ArrayList<EnvVar>();
        variables.add(variable(spec, AGENT_VARIABLE, SandboxRecord.AGENT));
        environment(spec).keySet().forEach(name -> variables.add(variable(spec, name, SandboxRecord.VARIABLE + name)));
        return variables;
    }

    private static EnvVar variable(InstanceSpec spec, String name, String key) {
        return new EnvVarBuilder()
                .withName(name)
                .withNewValueFrom()
                .withNewSecretKeyRef(key, spec.id().value(), false)
                .endValueFrom()
                .build();
    }

    private ResourceRequirements resources(Resources limits) {
        return new ResourceRequirementsBuilder()
                .withLimits(amounts(limits, 1))
                .withRequests(amounts(limits, settings.getRequests()))
                .build();
    }

    private static Map<String, Quantity> amounts(Resources limits, double share) {
        return Map.of(
                "cpu", new Quantity(Math.max(1, Math.round(limits.cpu() * share * 1000)) + "m"),
                "memory", new Quantity(Long.toString((long) (limits.memoryBytes() * share))),
                "ephemeral-storage", new Quantity(Long.toString((long) (limits.diskBytes() * share))));
    }
}
