package io.bivouac.terminalrelay.permission;

import io.bivouac.foundation.presence.ApproverPresence;
import io.bivouac.sandboxio.egress.NetworkConsent;
import io.bivouac.sandboxio.text.ShownText;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.egress.EgressTarget;
import io.bivouac.sandboxmodel.error.BivouacException;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks approvers about closed hosts, one question for each host of a sandbox at a time, and lets all connections that
 * wait for its answer go on or end. Thread-safe.
 */
@Singleton
class NetworkQuestions implements NetworkConsent, Askers {
    static final String ACTION = "network";

    /** What the database's clock and the news of an answer may take beyond a question's time. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private static final int LONGEST_PROGRAM = 64;
    private static final Logger LOG = LoggerFactory.getLogger(NetworkQuestions.class);

    private final Permissions permissions;
    private final PermissionRows rows;
    private final ApproverPresence presence;
    private final PermissionSettings settings;
    private final Map<Place, CompletableFuture<Consent>> asking = new ConcurrentHashMap<>();

    /** By the request's id; each is in {@link #asking} as well. */
    private final Map<String, CompletableFuture<Consent>> waiting = new ConcurrentHashMap<>();

    private record Place(SandboxId sandbox, EgressTarget target) {}

    NetworkQuestions(
            Permissions permissions, PermissionRows rows, ApproverPresence presence, PermissionSettings settings) {
        this.permissions = permissions;
        this.rows = rows;
        this.presence = presence;
        this.settings = settings;
    }

    @Override
    public Consent ask(Sandbox sandbox, EgressTarget target, String program, Duration patience)
            throws InterruptedException {
        var place = new Place(sandbox.id(), target);
        var mine = new CompletableFuture<Consent>();
        var present = asking.putIfAbsent(place, mine);
        if (present != null) {
            return await(present, patience);
        }
        try {
            return ask(sandbox, draft(sandbox, target, program, patience), mine, patience);
        } catch (BivouacException refused) {
            return unavailable(refused.getMessage());
        } catch (RuntimeException failed) {
            LOG.warn("{}: a question about {} could not be stored: {}", sandbox.id(), target, failed.toString());
            return unavailable("An approver cannot be asked now");
        } finally {
            asking.remove(place, mine);
            waiting.values().remove(mine);
            // Those who wait with this one end with it, whatever came between.
            mine.complete(unavailable("An approver cannot be asked now"));
        }
    }

    private static Consent unavailable(String why) {
        return new Consent(Outcome.UNAVAILABLE, why.replaceFirst("\\.$", ""));
    }

    private Consent ask(Sandbox sandbox, PermissionRequest draft, CompletableFuture<Consent> mine, Duration patience)
            throws InterruptedException {
        var decided = decidedAlready(sandbox, draft, mine);
        if (!decided) {
            waiting.put(draft.id(), mine);
            var known = permissions.ask(sandbox, draft, null);
            if (!known.id().equals(draft.id())) {
                waiting.put(known.id(), mine);
            }
            heard(known);
        }
        var answer = await(mine, patience);
        mine.complete(answer);
        return answer;
    }

    /** A question that is open already, of a server that was killed, is waited for; a fresh denial holds. */
    private boolean decidedAlready(Sandbox sandbox, PermissionRequest draft, CompletableFuture<Consent> mine) {
        var latest = rows.latestOfHost(sandbox.id().value(), draft.fingerprint());
        if (latest.isPresent() && latest.get().isOpen()) {
            waiting.put(latest.get().id(), mine);
            rows.findById(latest.get().id()).ifPresent(this::heard);
            return true;
        }
        if (latest.filter(this::isFreshDenial).isPresent()) {
            mine.complete(consent(latest.get()));
            return true;
        }
        if (!presence.isAnybodyThere(sandbox.project(), sandbox.id().value())) {
            var grant = rows.grantOfHost(sandbox.id().value(), draft.fingerprint(), draft.createdAt());
            mine.complete(grant.map(NetworkQuestions::consent).orElse(new Consent(Outcome.NOBODY_THERE, "")));
            return true;
        }
        return false;
    }

    private boolean isFreshDenial(PermissionRequest request) {
        var at = request.decidedAt();
        return !request.isGranted()
                && request.decidedBy() != null
                && at != null
                && at.plus(settings.getDenialRemembered()).isAfter(permissions.now());
    }

    private static Consent await(CompletableFuture<Consent> answer, Duration patience) throws InterruptedException {
        try {
            return answer.get(patience.plus(GRACE).toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException nobody) {
            return new Consent(Outcome.UNANSWERED, "");
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private PermissionRequest draft(Sandbox sandbox, EgressTarget target, String program, Duration patience) {
        Instant now = permissions.now();
        var who = program.isEmpty() ? "a program" : ShownText.of(program, LONGEST_PROGRAM);
        return PermissionRequest.aboutHost(
                sandbox,
                target.toString(),
                who,
                Fingerprint.ofHost(target.toString()),
                settings.getQuorum(),
                now,
                now.plus(patience));
    }

    @Override
    public void heard(PermissionRequest request) {
        var place = waiting.get(request.id());
        if (place != null && !request.isOpen()) {
            place.complete(consent(request));
        }
    }

    private static Consent consent(PermissionRequest decided) {
        if (decided.isGranted()) {
            return new Consent(Outcome.ALLOWED, "");
        }
        // Denied by nobody: its time was over, or nobody may answer.
        return decided.decidedBy() == null
                ? new Consent(Outcome.UNANSWERED, "")
                : new Consent(Outcome.DENIED, decided.reason() == null ? "" : decided.reason());
    }

    @Override
    public void lookAgain() {
        if (!waiting.isEmpty()) {
            rows.findAll(List.copyOf(waiting.keySet())).forEach(this::heard);
        }
    }
}
