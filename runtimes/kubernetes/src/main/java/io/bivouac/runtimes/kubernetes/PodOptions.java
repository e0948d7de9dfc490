package io.bivouac.runtimes.kubernetes;

import io.bivouac.runtimes.kubernetes.KubernetesSettings.Workspace;
import io.fabric8.kubernetes.api.model.Toleration;
import io.micronaut.core.annotation.Nullable;
import java.util.List;
import java.util.Map;

/**
 * What the operator wants of the Pods of a template.
 *
 * @param runtimeClass what runs its containers; null for the cluster's usual one
 * @param nodeSelector the labels of nodes that it may be on
 * @param storageClass of its claim; null for the cluster's default
 * @param userNamespace whether root in the Pod is nobody on the node
 */
record PodOptions(
        @Nullable String runtimeClass,
        Map<String, String> nodeSelector,
        List<Toleration> tolerations,
        Workspace workspace,
        @Nullable String storageClass,
        boolean userNamespace) {
    PodOptions {
        nodeSelector = Map.copyOf(nodeSelector);
        tolerations = List.copyOf(tolerations);
    }

    static PodOptions of(KubernetesSettings settings) {
        return new PodOptions(null, Map.of(), List.of(), settings.getWorkspace(), settings.getStorageClass(), false);
    }

    boolean lasts() {
        return workspace == Workspace.VOLUME;
    }
}
