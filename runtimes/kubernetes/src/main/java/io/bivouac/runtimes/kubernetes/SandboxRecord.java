package io.bivouac.runtimes.kubernetes;

import io.bivouac.sandboxmodel.Resources;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.runtime.Labels;
import io.fabric8.kubernetes.api.model.Secret;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;

/** What a sandbox's Secret says about it. */
record SandboxRecord(Secret secret) {
    /** Keys of its data. */
    static final String AGENT = "agent";

    static final String POD = "pod";
    static final String VARIABLE = "env.";

    /** Annotations. */
    static final String IMAGE = "bivouac.image";

    static final String CLAIM = "bivouac.claim";
    static final String CPU = "bivouac.cpu";
    static final String MEMORY = "bivouac.memory";
    static final String DISK = "bivouac.disk";
    static final String STARTED = "bivouac.started";

    SandboxId id() {
        return new SandboxId(secret.getMetadata().getName());
    }

    String uid() {
        return secret.getMetadata().getUid();
    }

    Map<String, String> labels() {
        return secret.getMetadata().getLabels();
    }

    String project() {
        return labels().get(Labels.PROJECT);
    }

    Instant createdAt() {
        return Instant.parse(secret.getMetadata().getCreationTimestamp());
    }

    String image() {
        return annotation(IMAGE).orElse("");
    }

    Optional<String> claim() {
        return annotation(CLAIM);
    }

    boolean hasStarted() {
        return annotation(STARTED).isPresent();
    }

    Resources resources() {
        return new Resources(
                Double.parseDouble(annotation(CPU).orElseThrow()),
                Long.parseLong(annotation(MEMORY).orElseThrow()),
                Long.parseLong(annotation(DISK).orElseThrow()));
    }

    /** The manifest of its Pod, without what is secret. */
    String pod() {
        return text(POD);
    }

    String agent() {
        return text(AGENT);
    }

    private String text(String key) {
        return new String(Base64.getDecoder().decode(secret.getData().get(key)), StandardCharsets.UTF_8);
    }

    private Optional<String> annotation(String name) {
        return Optional.ofNullable(secret.getMetadata().getAnnotations().get(name));
    }
}
