package io.bivouac.runtimes.kubernetes;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.annotation.Nullable;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import java.nio.file.Path;
import java.util.List;

/** Which cluster, and what Pods are like there. */
@ConfigurationProperties("bivouac.kubernetes")
public class KubernetesSettings {
    private @Nullable Path config;
    private @Nullable String context;
    private @Nullable String namespace;
    private List<String> relays = List.of();
    private @Nullable String relayPods;
    private Workspace workspace = Workspace.POD;
    private @Nullable String storageClass;
    private double requests = 0.1;
    private Pull pull = Pull.MISSING;
    private List<String> pullSecrets = List.of();
    private @Nullable String image;
    private @Nullable String agentImage;
    private @Nullable Path pods;

    /** Where a sandbox's workspace is. */
    public enum Workspace {
        /** In the Pod: it starts soonest, and its files end with it. */
        POD,
        /** In a claim: it lasts, and mounting it takes a third of a second. */
        VOLUME
    }

    /** When a node fetches an image. */
    public enum Pull {
        NEVER("Never"),
        MISSING("IfNotPresent"),
        ALWAYS("Always");

        private final String policy;

        Pull(String policy) {
            this.policy = policy;
        }

        String policy() {
            return policy;
        }
    }

    /** The kubectl configuration; without it the usual one, or in a Pod the cluster that it is in. */
    @Nullable public Path getConfig() {
        return config;
    }

    public void setConfig(@Nullable Path config) {
        this.config = config;
    }

    /** Of that configuration; without it the current one. */
    @Nullable public String getContext() {
        return context;
    }

    public void setContext(@Nullable String context) {
        this.context = context;
    }

    /** Where sandboxes' Pods are; without it the context's, or in a Pod its own. */
    @Nullable public String getNamespace() {
        return namespace;
    }

    public void setNamespace(@Nullable String namespace) {
        this.namespace = namespace;
    }

    /** Where agents dial relays, as {@code host:port}; without it this server's own agent address and port. */
    public List<String> getRelays() {
        return relays;
    }

    public void setRelays(List<String> relays) {
        this.relays = List.copyOf(relays);
    }

    /** The labels of relays' Pods, as {@code name=value}, where the addresses are those of a Service. */
    @Nullable public String getRelayPods() {
        return relayPods;
    }

    public void setRelayPods(@Nullable String relayPods) {
        this.relayPods = relayPods;
    }

    public Workspace getWorkspace() {
        return workspace;
    }

    public void setWorkspace(Workspace workspace) {
        this.workspace = workspace;
    }

    /** Of claims; without it the cluster's default. */
    @Nullable public String getStorageClass() {
        return storageClass;
    }

    public void setStorageClass(@Nullable String storageClass) {
        this.storageClass = storageClass;
    }

    /** How much of its limits a Pod requests for itself alone: 1 for all of it. */
    @DecimalMin("0.001") @DecimalMax("1") public double getRequests() {
        return requests;
    }

    public void setRequests(double requests) {
        this.requests = requests;
    }

    public Pull getPull() {
        return pull;
    }

    public void setPull(Pull pull) {
        this.pull = pull;
    }

    /** Secrets of the namespace that open the images' registries. */
    public List<String> getPullSecrets() {
        return pullSecrets;
    }

    public void setPullSecrets(List<String> pullSecrets) {
        this.pullSecrets = List.copyOf(pullSecrets);
    }

    /** The image of templates that name none for Kubernetes; without it theirs for Docker. */
    @Nullable public String getImage() {
        return image;
    }

    public void setImage(@Nullable String image) {
        this.image = image;
    }

    /** The image that brings the agent to those that do not carry it; without it all have to. */
    @Nullable public String getAgentImage() {
        return agentImage;
    }

    public void setAgentImage(@Nullable String agentImage) {
        this.agentImage = agentImage;
    }

    /** A file that says what else Pods are like, by template. */
    @Nullable public Path getPods() {
        return pods;
    }

    public void setPods(@Nullable Path pods) {
        this.pods = pods;
    }
}
