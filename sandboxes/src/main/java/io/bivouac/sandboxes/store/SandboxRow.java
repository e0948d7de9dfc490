package io.bivouac.sandboxes.store;

import io.bivouac.sandboxmodel.Definition;
import io.bivouac.sandboxmodel.Lifetime;
import io.bivouac.sandboxmodel.OnExpiry;
import io.bivouac.sandboxmodel.Placement;
import io.bivouac.sandboxmodel.Resources;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.Status;
import io.bivouac.sandboxmodel.StopReason;
import io.bivouac.sandboxmodel.Teardown;
import io.bivouac.sandboxmodel.egress.EgressPolicy;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.TypeDef;
import io.micronaut.data.model.DataType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A sandbox as the table has it. */
@MappedEntity("sandboxes")
record SandboxRow(
        @Id String id,
        String projectId,
        @Nullable String name,
        String template,
        double cpu,
        long memoryBytes,
        long diskBytes,
        @TypeDef(type = DataType.JSON) Map<String, String> envs,
        @TypeDef(type = DataType.JSON) Map<String, String> labels,
        @Nullable String workspace,
        @TypeDef(type = DataType.JSON) List<String> egress,
        boolean egressAsk,
        boolean nestedSandbox,
        boolean autoResume,
        String runtime,
        String host,
        String state,
        @Nullable String stateReason,
        @Nullable String stopReason,
        @Nullable String teardown,
        boolean keepWorkspace,
        Instant stateSince,
        boolean agentConnected,
        Instant createdAt,
        Instant updatedAt,
        Instant expiresAt,
        long timeoutSeconds,
        boolean announced,
        @Nullable Instant noticeAt,
        @Nullable Instant keptUntil,
        String onExpiry,
        @Nullable Instant filesUntil,
        long version,
        long sequence) {

    static SandboxRow of(Sandbox sandbox) {
        var definition = sandbox.definition();
        var status = sandbox.status();
        var lifetime = sandbox.lifetime();
        return new SandboxRow(
                sandbox.id().value(),
                sandbox.project(),
                definition.name(),
                definition.template(),
                definition.resources().cpu(),
                definition.resources().memoryBytes(),
                definition.resources().diskBytes(),
                definition.envs(),
                definition.labels(),
                definition.workspace(),
                definition.egress().hosts(),
                definition.egress().ask(),
                definition.nestedSandbox(),
                definition.autoResume(),
                sandbox.placement().runtime(),
                sandbox.placement().host(),
                status.state().wireName(),
                status.reason(),
                status.stopReason() == null ? null : lower(status.stopReason()),
                status.teardown() == null ? null : lower(status.teardown().purpose()),
                status.teardown() != null && status.teardown().keepWorkspace(),
                status.since(),
                status.agentConnected(),
                lifetime.createdAt(),
                sandbox.updatedAt(),
                lifetime.expiresAt(),
                lifetime.timeout().toSeconds(),
                lifetime.announced(),
                lifetime.announced() ? null : lifetime.noticeAt(),
                lifetime.keptUntil(),
                lower(lifetime.onExpiry()),
                lifetime.filesUntil(),
                sandbox.version(),
                sandbox.sequence());
    }

    Sandbox toSandbox() {
        return new Sandbox(
                new SandboxId(id),
                projectId,
                new Definition(
                        template,
                        name,
                        new Resources(cpu, memoryBytes, diskBytes),
                        envs,
                        labels,
                        workspace,
                        EgressPolicy.allowing(egress).asking(egressAsk),
                        nestedSandbox,
                        autoResume),
                new Placement(runtime, host),
                new Status(
                        SandboxState.valueOf(upper(state)),
                        stateReason,
                        stopReason == null ? null : StopReason.valueOf(upper(stopReason)),
                        teardown == null
                                ? null
                                : new Teardown(Teardown.Purpose.valueOf(upper(teardown)), keepWorkspace),
                        stateSince,
                        agentConnected),
                new Lifetime(
                        createdAt,
                        expiresAt,
                        Duration.ofSeconds(timeoutSeconds),
                        announced,
                        keptUntil,
                        OnExpiry.valueOf(upper(onExpiry)),
                        filesUntil),
                updatedAt,
                version,
                sequence);
    }

    private static String upper(String word) {
        return word.toUpperCase(Locale.ROOT);
    }

    private static String lower(Enum<?> word) {
        return word.name().toLowerCase(Locale.ROOT);
    }
}
