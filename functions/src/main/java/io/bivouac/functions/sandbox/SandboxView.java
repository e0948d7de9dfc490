package io.bivouac.functions.sandbox;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.bivouac.sandboxes.lifecycle.StartTimeline;
import io.bivouac.sandboxes.lifecycle.StartedSandbox;
import io.bivouac.sandboxes.nfs.NfsAddress;
import io.bivouac.sandboxmodel.ByteSize;
import io.bivouac.sandboxmodel.Resources;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.egress.EgressPolicy;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * A sandbox as clients see it.
 *
 * @param name the id, where the maker gave none
 * @param egress the hosts that it may reach, each with its port
 * @param keepAlive null unless use of it moves its end ahead
 * @param onExpiry what becomes of it when its time is over: {@code keep}, {@code stop} or {@code delete}
 * @param autoResume whether use of it resumes it when it is paused
 * @param expiredFiles what became of its files; only of an expired one
 * @param ports where the template's ports can be reached; only while it runs, and null where it declares none
 * @param nfs where its workspace can be mounted; only while it runs, and null where it is not exported
 * @param timeline where the time of its start went; only in the answer to a create
 * @param accessToken the sandbox's own token, for its maker; only in the answer to a create. It opens the sandbox's ports
 */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
record SandboxView(
        String id,
        String name,
        String state,
        @Nullable String stateReason,
        @Nullable String stopReason,
        String template,
        Instant createdAt,
        Instant expiresAt,
        Instant updatedAt,
        ResourcesView resources,
        Map<String, String> labels,
        @Nullable String workspace,
        EgressView egress,
        @Nullable KeepAliveView keepAlive,
        String onExpiry,
        boolean autoResume,
        @Nullable FilesView expiredFiles,
        @Nullable List<PortView> ports,
        @Nullable NfsView nfs,
        @Nullable Timeline timeline,
        @Nullable String accessToken) {

    /** Sizes as people write them. */
    @Serdeable
    record ResourcesView(double cpu, String memory, String disk) {
        static ResourcesView of(Resources resources) {
            return new ResourcesView(
                    resources.cpu(), ByteSize.format(resources.memoryBytes()), ByteSize.format(resources.diskBytes()));
        }
    }

    /** @param ask whether approvers who are there are asked about other hosts */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record EgressView(List<String> allow, boolean ask) {
        static EgressView of(EgressPolicy policy) {
            return new EgressView(policy.hosts(), policy.ask());
        }
    }

    /** @param until the latest end that use gives it */
    @Serdeable
    record KeepAliveView(boolean onTraffic, Instant until) {}

    /**
     * What became of an expired sandbox's files.
     *
     * @param state {@code kept} or {@code removed}
     * @param workspace the id of the kept workspace, which a create may take over
     * @param until when it is removed
     */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record FilesView(
            String state,
            @Nullable String workspace,
            @Nullable Instant until) {
        static @Nullable FilesView of(Sandbox sandbox) {
            if (!sandbox.hasExpired()) {
                return null;
            }
            var until = sandbox.lifetime().filesUntil();
            return until == null
                    ? new FilesView("removed", null, null)
                    : new FilesView("kept", sandbox.id().value(), until);
        }
    }

    /** A port inside, and where the host reaches it: {@code 127.0.0.2:port}. */
    @Serdeable
    record PortView(int port, String address) {}

    /** Where a workspace can be mounted; the command runs as it is, as root, with {@code /mnt} as the place. */
    @Serdeable
    record NfsView(String host, int port, String path, String mountCommand) {
        static NfsView of(NfsAddress address) {
            return new NfsView(address.host(), address.port(), address.path(), address.mountCommand());
        }
    }

    /**
     * In milliseconds: waiting for a place, the runtime's part, and the agent's way to the relay.
     *
     * @param warm whether the sandbox ran before it was asked for
     */
    @Serdeable
    record Timeline(double queuedMs, double runtimeMs, double agentMs, boolean warm) {
        static Timeline of(StartTimeline timeline) {
            return new Timeline(
                    millis(timeline.queued()), millis(timeline.runtime()), millis(timeline.agent()), timeline.warm());
        }

        private static double millis(Duration time) {
            return Math.round(time.toNanos() / 1e4) / 1e2;
        }
    }

    static SandboxView of(Sandbox sandbox) {
        return of(sandbox, null);
    }

    static SandboxView of(StartedSandbox started) {
        return of(started.sandbox(), started.timeline() == null ? null : Timeline.of(started.timeline()));
    }

    private static SandboxView of(Sandbox sandbox, @Nullable Timeline timeline) {
        var definition = sandbox.definition();
        var status = sandbox.status();
        return new SandboxView(
                sandbox.id().value(),
                definition.name() == null ? sandbox.id().value() : definition.name(),
                sandbox.shownState(),
                status.reason(),
                status.stopReason() == null ? null : status.stopReason().wireName(),
                definition.template(),
                sandbox.lifetime().createdAt(),
                sandbox.lifetime().expiresAt(),
                sandbox.updatedAt(),
                ResourcesView.of(definition.resources()),
                definition.labels(),
                definition.workspace(),
                EgressView.of(definition.egress()),
                sandbox.lifetime().keptUntil() == null
                        ? null
                        : new KeepAliveView(true, sandbox.lifetime().keptUntil()),
                sandbox.lifetime().onExpiry().wireName(),
                definition.autoResume(),
                FilesView.of(sandbox),
                null,
                null,
                timeline,
                null);
    }

    SandboxView withAccessToken(String token) {
        return new SandboxView(
                id,
                name,
                state,
                stateReason,
                stopReason,
                template,
                createdAt,
                expiresAt,
                updatedAt,
                resources,
                labels,
                workspace,
                egress,
                keepAlive,
                onExpiry,
                autoResume,
                expiredFiles,
                ports,
                nfs,
                timeline,
                token);
    }

    SandboxView withPorts(List<PortView> reachable) {
        return new SandboxView(
                id,
                name,
                state,
                stateReason,
                stopReason,
                template,
                createdAt,
                expiresAt,
                updatedAt,
                resources,
                labels,
                workspace,
                egress,
                keepAlive,
                onExpiry,
                autoResume,
                expiredFiles,
                reachable,
                nfs,
                timeline,
                accessToken);
    }

    SandboxView withNfs(NfsView mountable) {
        return new SandboxView(
                id,
                name,
                state,
                stateReason,
                stopReason,
                template,
                createdAt,
                expiresAt,
                updatedAt,
                resources,
                labels,
                workspace,
                egress,
                keepAlive,
                onExpiry,
                autoResume,
                expiredFiles,
                ports,
                mountable,
                timeline,
                accessToken);
    }
}
