package io.bivouac.terminalrelay.door;

import io.bivouac.agent.v1.Run;
import io.bivouac.sandboxes.SandboxId;
import io.bivouac.sandboxes.access.Caller;
import io.bivouac.sandboxes.access.TrustedOrigins;
import io.bivouac.sandboxes.audit.Audit;
import io.bivouac.sandboxes.error.BivouacException;
import io.bivouac.sandboxes.error.ErrorCode;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.terminalrelay.acl.PodPaths;
import io.bivouac.terminalrelay.acl.Requester;
import io.bivouac.terminalrelay.acl.TerminalAsk;
import io.bivouac.terminalrelay.agent.Agent;
import io.bivouac.terminalrelay.pod.Grant;
import io.bivouac.terminalrelay.pod.Pod;
import io.bivouac.terminalrelay.pod.PodConfig;
import io.bivouac.terminalrelay.pod.PodFiles;
import io.bivouac.terminalrelay.pod.PodSessions;
import io.bivouac.terminalrelay.pod.PodUnreadable;
import io.bivouac.terminalrelay.pod.PodViews;
import io.bivouac.terminalrelay.pod.Pods;
import io.bivouac.terminalrelay.pod.TerminalAccess;
import io.bivouac.terminalrelay.secret.SecretRef;
import io.bivouac.terminalrelay.secret.Secrets;
import io.bivouac.terminalrelay.terminal.Terminal;
import io.bivouac.terminalrelay.terminal.TerminalOrder;
import io.micronaut.core.annotation.Nullable;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Lets those in who come with a WebID, as far as the ACL of a Pod does. Thread-safe. */
@Singleton
class Guests {
    /** A sandbox with this label, and the Pod's address as its value, may be used by those whom the Pod lets in. */
    static final String LABEL = "pod";

    private static final String USUAL_WORKDIR = "/workspace/";

    private final Pods pods;
    private final TerminalAccess access;
    private final PodSessions sessions;
    private final SandboxStore store;
    private final Surroundings surroundings;

    /** What is known beside the Pods. */
    @Singleton
    record Surroundings(TrustedOrigins origins, Audit audit, Secrets secrets, PodViews views) {}

    Guests(Pods pods, TerminalAccess access, PodSessions sessions, SandboxStore store, Surroundings surroundings) {
        this.pods = pods;
        this.access = access;
        this.sessions = sessions;
        this.store = store;
        this.surroundings = surroundings;
    }

    /** What is granted, the request with the Pod's own words where it had none, and what there will be of the Pod. */
    record Admitted(Grant grant, SessionRequest asked, PodFiles files) {}

    /** Refuses before anything is made, and writes refusals down. */
    Admitted admit(SessionRequest asked, @Nullable String origin, Caller caller) {
        var pod = pods.get(asked.pod());
        try {
            if (caller.visitor() == null) {
                throw new BivouacException(ErrorCode.FORBIDDEN, "A ticket opens its session and makes no other.");
            }
            var trusted = origin != null && surroundings.origins().include(origin);
            var whole = asked.completedBy(PodConfig.of(pod));
            var grant = access.mustGrant(pod, ask(pod, whole, asked), new Requester(caller.visitor(), origin, trusted));
            if (asked.sandboxId() != null) {
                mustBeOf(pod, asked.sandboxId(), caller);
            }
            surroundings.secrets().mustBeThere(asked.secrets(), pod);
            return new Admitted(grant, whole, files(whole, grant));
        } catch (BivouacException refusal) {
            throw writtenDown(refusal, pod, caller);
        } catch (PodUnreadable unreadable) {
            var refusal = new BivouacException(
                    ErrorCode.UNAVAILABLE, "The Pod's ACL cannot be read: " + unreadable.getMessage() + ".");
            throw writtenDown(refusal, pod, caller);
        }
    }

    private BivouacException writtenDown(BivouacException refusal, Pod pod, Caller caller) {
        surroundings.audit().append(caller.project(), caller.id(), "session.refused", pod.url(), refusal.getMessage());
        return refusal.writtenDown();
    }

    private PodFiles files(SessionRequest whole, Grant grant) throws PodUnreadable {
        return whole.sandboxId() == null
                ? surroundings.views().of(grant, whole.workdir())
                : PodViews.absent("the sandbox was there before the session");
    }

    /** The caller answers for the variables that they set, not for the Pod's. */
    private static TerminalAsk ask(Pod pod, SessionRequest whole, SessionRequest asked) {
        var workdir = whole.workdir() == null ? USUAL_WORKDIR : whole.workdir();
        var clean = PodPaths.clean(workdir)
                .map(PodPaths::asFolder)
                .flatMap(pod.paths()::fromAcl)
                .orElseThrow(() -> TerminalOrder.invalid("workdir must be a whole path without . or .. in it."));
        var secrets = new HashSet<String>();
        for (var secret : asked.secrets()) {
            secrets.add(PodPaths.clean(secret.path())
                    .orElseThrow(() -> TerminalOrder.invalid(
                            "env." + secret.variable() + ": @ref must be a whole path without . or .. in it.")));
        }
        var variables = asked.env() == null ? Set.<String>of() : asked.env().keySet();
        var life = asked.timeout() == null ? null : Duration.ofSeconds(asked.timeout());
        return new TerminalAsk(whole.command(), clean, secrets, variables, life);
    }

    /** The same answer whether it is another's or does not exist: a guest learns nothing about projects. */
    private void mustBeOf(Pod pod, String sandbox, Caller caller) {
        boolean labelled = store.find(SandboxId.parse(sandbox))
                .filter(found -> found.project().equals(caller.project()))
                .filter(found -> pod.url().equals(found.definition().labels().get(LABEL)))
                .isPresent();
        if (!labelled) {
            throw SandboxId.noSuchSandbox(sandbox);
        }
    }

    /** Puts secrets among the command's variables, for the agent's eyes only. */
    void handOver(List<SecretRef> wanted, Grant grant, Agent agent, Run.Builder run) {
        if (!wanted.isEmpty()) {
            run.setSealedEnv(surroundings.secrets().sealed(wanted, grant.pod(), agent));
        }
    }

    /** Stores by what right it is opened, before its program can ask for anything. */
    void granted(Terminal reserved, Grant grant) {
        sessions.opened(reserved.id(), grant);
    }

    /** Writes down which secrets were handed over: their names. */
    void opened(Terminal terminal, List<SecretRef> handedOver, Grant grant) {
        for (var secret : handedOver) {
            surroundings
                    .audit()
                    .append(
                            terminal.projectId(),
                            terminal.owner(),
                            "secret.injected",
                            terminal.id(),
                            secret.variable() + " from " + secret.path() + " of "
                                    + grant.pod().url());
        }
    }
}
