package io.bivouac.runtimes.kubernetes;

import io.bivouac.sandboxmodel.runtime.Installation;
import io.bivouac.sandboxmodel.runtime.InstanceSpec;
import io.bivouac.sandboxmodel.runtime.Labels;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.micronaut.core.annotation.Nullable;
import java.util.HashMap;
import java.util.Map;

/** A sandbox's Secret: what its Pod is told, and all that is needed to make the Pod again. */
final class RecordRecipe {
    private RecordRecipe() {}

    static Secret secret(
            InstanceSpec spec, Installation installation, String image, @Nullable String claim, Contents contents) {
        var data = new HashMap<String, String>();
        data.put(SandboxRecord.AGENT, contents.agent());
        data.put(SandboxRecord.POD, contents.pod());
        PodRecipe.environment(spec).forEach((name, value) -> data.put(SandboxRecord.VARIABLE + name, value));
        return new SecretBuilder()
                .withNewMetadata()
                .withName(spec.id().value())
                .withLabels(Labels.of(spec, installation))
                .withAnnotations(annotations(spec, image, claim))
                .endMetadata()
                .withStringData(data)
                .build();
    }

    /**
     * What only the Secret has.
     *
     * @param agent what its agent is told
     * @param pod the manifest as JSON
     */
    record Contents(String agent, String pod) {}

    private static Map<String, String> annotations(InstanceSpec spec, String image, @Nullable String claim) {
        var resources = spec.resources();
        var annotations = new HashMap<>(Map.of(
                SandboxRecord.IMAGE, image,
                SandboxRecord.CPU, Double.toString(resources.cpu()),
                SandboxRecord.MEMORY, Long.toString(resources.memoryBytes()),
                SandboxRecord.DISK, Long.toString(resources.diskBytes())));
        if (claim != null) {
            annotations.put(SandboxRecord.CLAIM, claim);
        }
        return annotations;
    }
}
