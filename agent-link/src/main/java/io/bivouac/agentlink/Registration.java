package io.bivouac.agentlink;

import io.bivouac.agent.v1.Register;
import io.bivouac.agent.v1.Registered;
import io.bivouac.agent.v1.RelayMessage;
import io.bivouac.sandboxes.token.SandboxTokens;
import io.bivouac.sandboxes.warm.WaitingAgents;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SortableId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.grpc.Status;
import jakarta.inject.Singleton;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides whether an agent is who it says it is, and takes it in. Thread-safe. */
@Singleton
class Registration {
    private static final Logger LOG = LoggerFactory.getLogger(Registration.class);
    private static final int PROTOCOL = 1;

    private final SandboxTokens tokens;
    private final AgentConnections connections;
    private final ConnectionRecords records;
    private final AgentSettings settings;
    private final AgentMetrics metrics;
    private final List<AgentArrival> arrivals;
    private final Resumption resumption;
    private final AgentListeners listeners;
    private final RelayThreads threads;
    private final WaitingAgents waiting;
    private final Set<String> underWay = ConcurrentHashMap.newKeySet();
    private final Set<ControlStream> undecided = ConcurrentHashMap.newKeySet();

    Registration(
            SandboxTokens tokens,
            AgentConnections connections,
            ConnectionRecords records,
            AgentSettings settings,
            AgentMetrics metrics,
            List<AgentArrival> arrivals,
            Resumption resumption,
            AgentListeners listeners,
            RelayThreads threads,
            WaitingAgents waiting) {
        this.tokens = tokens;
        this.connections = connections;
        this.records = records;
        this.settings = settings;
        this.metrics = metrics;
        this.arrivals = arrivals;
        this.resumption = resumption;
        this.listeners = listeners;
        this.threads = threads;
        this.waiting = waiting;
    }

    /** Takes an agent in, or has it wait where its sandbox has no owner yet, or refuses it. */
    void arrive(Register request, ControlStream control, AgentTransport transport) {
        if (!isHeld(request, control, transport)) {
            register(request, control, transport);
        }
    }

    /** Held are only agents that this process expects, and that are who they say. */
    private boolean isHeld(Register request, ControlStream control, AgentTransport transport) {
        if (!request.getUnowned() || check(request) != null) {
            return false;
        }
        var id = new SandboxId(request.getSandboxId());
        var held = new HeldAgent(request, control, transport, this);
        decided(control);
        boolean waits = waiting.arrived(id, held);
        if (waits) {
            LOG.debug("{}: its agent waits for an owner", id);
            transport.atClose(() -> waiting.left(id, held));
        }
        return waits;
    }

    /** Whether it was taken in. */
    boolean register(Register request, ControlStream control, AgentTransport transport) {
        var refusal = check(request);
        if (refusal == null) {
            refusal = underWay.add(request.getSandboxId())
                    ? takeIn(request, control, transport)
                    : Status.ALREADY_EXISTS.withDescription("another registration is under way");
        }
        if (refusal != null) {
            metrics.refused(refusal.getCode());
            control.close(refusal);
        }
        return refusal == null;
    }

    private Status check(Register request) {
        if (request.getProtocol() != PROTOCOL) {
            return Status.FAILED_PRECONDITION.withDescription("this relay speaks protocol " + PROTOCOL);
        }
        // One answer for all that is wrong with id and token: it tells nothing about which sandboxes exist.
        boolean proven = SortableId.matches(SandboxId.PREFIX, request.getSandboxId())
                && request.getJoinToken().length() <= Bounds.TOKEN
                && tokens.isJoinToken(new SandboxId(request.getSandboxId()), request.getJoinToken());
        if (!proven) {
            return unauthenticated();
        }
        if (request.getAgentVersion().length() > Bounds.VERSION
                || request.getBootId().length() > Bounds.BOOT_ID) {
            return Status.INVALID_ARGUMENT.withDescription("version or boot id too long");
        }
        int keyLength = request.getSecretsKey().size();
        if (keyLength != 0 && keyLength != Bounds.SECRETS_KEY) {
            return Status.INVALID_ARGUMENT.withDescription("no X25519 key");
        }
        return null;
    }

    private Status takeIn(Register request, ControlStream control, AgentTransport transport) {
        var id = new SandboxId(request.getSandboxId());
        try {
            var predecessor = connections.find(id).orElse(null);
            if (predecessor != null && predecessor.answersWithin(settings.getPingTimeout())) {
                LOG.warn("{}: a second agent registered while the first is alive, and was refused", id);
                return Status.ALREADY_EXISTS.withDescription("another agent holds this place");
            }
            if (predecessor != null) {
                predecessor.close(Status.ABORTED.withDescription("replaced: it no longer answers"));
            }
            var version = AgentText.clean(request.getAgentVersion(), Bounds.VERSION);
            var connection = new AgentConnection(id, version, control, resumption, listeners);
            connection.bootId(AgentText.clean(request.getBootId(), Bounds.BOOT_ID));
            arrivals.forEach(arrival -> arrival.arriving(id));
            var secretsKey = request.getSecretsKey().toByteArray();
            connection.secretsKey(secretsKey);
            var entry = records.connected(id, version, secretsKey);
            connection.epoch(entry.epoch());
            if (!transport.bind(connection)) {
                records.disconnected(connection);
                return Status.CANCELLED.withDescription("gone already");
            }
            control.registered(
                    connection,
                    welcome(request.getUnowned() ? entry.sandbox().definition().envs() : Map.of()));
            connections.add(connection);
            LOG.debug("{}: agent {} registered", id, version);
            return null;
        } catch (BivouacException refused) {
            return statusOf(refused, id);
        } finally {
            underWay.remove(request.getSandboxId());
        }
    }

    /** @param envs what the agent does not know yet of its sandbox's variables */
    private RelayMessage welcome(Map<String, String> envs) {
        return RelayMessage.newBuilder()
                .setRegistered(Registered.newBuilder()
                        .putAllEnv(envs)
                        .setHeartbeatSeconds(Math.toIntExact(
                                Math.max(1, settings.getHeartbeatEvery().toSeconds()))))
                .build();
    }

    private static Status statusOf(BivouacException refused, SandboxId id) {
        return switch (refused.code()) {
            case SANDBOX_NOT_FOUND -> unauthenticated();
            case SANDBOX_NOT_RUNNING -> Status.FAILED_PRECONDITION.withDescription(refused.getMessage());
            case CONFLICT -> {
                LOG.warn("{}: {}", id, refused.getMessage());
                yield Status.ALREADY_EXISTS.withDescription(refused.getMessage());
            }
            default -> Status.UNAVAILABLE.withDescription("try again");
        };
    }

    private static Status unauthenticated() {
        return Status.UNAUTHENTICATED.withDescription("the token does not fit");
    }

    void ended(AgentConnection connection, String why) {
        if (connections.remove(connection)) {
            LOG.debug("{}: {}", connection.sandbox(), why);
            Thread.ofVirtual().name("disconnected").start(() -> records.disconnected(connection));
        }
    }

    void arrived(ControlStream stream) {
        undecided.add(stream);
        if (undecided.size() > Bounds.UNREGISTERED) {
            // Real agents register at once: it is the others that wait.
            undecided.stream()
                    .min(Comparator.comparingLong(ControlStream::deadline))
                    .ifPresent(oldest -> oldest.close(Status.RESOURCE_EXHAUSTED.withDescription("too many wait")));
        }
    }

    void decided(ControlStream stream) {
        undecided.remove(stream);
    }

    void tick(long now) {
        for (var stream : undecided) {
            if (stream.isOverdue(now)) {
                stream.close(Status.DEADLINE_EXCEEDED.withDescription("nobody registered"));
            }
        }
    }

    RelayThreads threads() {
        return threads;
    }

    AgentMetrics metrics() {
        return metrics;
    }

    /** A live relay elsewhere holds the place. */
    static BivouacException heldElsewhere() {
        return new BivouacException(ErrorCode.CONFLICT, "another relay holds a connection for this sandbox");
    }
}
