package io.bivouac.sessions;

import io.bivouac.agent.v1.Run;
import io.bivouac.agentlink.Agent;
import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.TrustedOrigins;
import io.bivouac.foundation.audit.Audit;
import io.bivouac.foundation.audit.Refusals;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.sandboxmodel.template.Template;
import io.bivouac.sessions.acl.PodPaths;
import io.bivouac.sessions.acl.Requester;
import io.bivouac.sessions.acl.TerminalAsk;
import io.bivouac.sessions.launch.LaunchRules;
import io.bivouac.sessions.launch.TurningVariables;
import io.bivouac.sessions.pod.Grant;
import io.bivouac.sessions.pod.Pod;
import io.bivouac.sessions.pod.PodConfig;
import io.bivouac.sessions.pod.PodFiles;
import io.bivouac.sessions.pod.PodSessions;
import io.bivouac.sessions.pod.PodTerminalRules;
import io.bivouac.sessions.pod.PodUnreadable;
import io.bivouac.sessions.pod.PodViews;
import io.bivouac.sessions.pod.Pods;
import io.bivouac.sessions.secret.SecretRef;
import io.bivouac.sessions.secret.Secrets;
import io.bivouac.terminalrelay.terminal.Terminal;
import io.micronaut.core.annotation.Nullable;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Lets those in who come with a WebID, as far as the ACL of a Pod does. Thread-safe. */
@Singleton
class Guests {
    /** A sandbox with this label, and the Pod's address as its value, may be used by those whom the Pod lets in. */
    static final String LABEL = "pod";

    /** A sandbox that has this label too, with a WebID as its value, is for that guest alone. */
    static final String GUEST_LABEL = "guest";

    private static final String USUAL_WORKDIR = "/workspace/";

    private final Pods pods;
    private final PodTerminalRules access;
    private final PodSessions sessions;
    private final SandboxStore store;
    private final Surroundings surroundings;

    /** What is known beside the Pods. */
    @Singleton
    record Surroundings(TrustedOrigins origins, Audit audit, Refusals refusals, Secrets secrets, PodViews views) {}

    Guests(Pods pods, PodTerminalRules access, PodSessions sessions, SandboxStore store, Surroundings surroundings) {
        this.pods = pods;
        this.access = access;
        this.sessions = sessions;
        this.store = store;
        this.surroundings = surroundings;
    }

    /** What is granted, the request with the Pod's own words where it had none, and what there will be of the Pod. */
    record Admitted(Grant grant, SessionRequest asked, PodFiles files) {}

    /** Refuses before anything is made, and writes refusals down. */
    Admitted admit(SessionRequest asked, @Nullable String origin, Caller caller, LaunchRules launches) {
        var pod = pods.get(asked.pod());
        try {
            if (caller.visitor() == null) {
                throw new BivouacException(ErrorCode.FORBIDDEN, "A ticket opens its session and makes no other.");
            }
            if (asked.sandboxId() == null) {
                pods.mustAllow(asked.template() == null ? Template.DEFAULT : asked.template());
            }
            var trusted = origin != null && surroundings.origins().include(origin);
            var requester = new Requester(caller.visitor(), origin, trusted);
            var config = PodConfig.of(pod);
            var whole = asked.completedBy(config);
            var ask = ask(pod, whole, asked, launches);
            boolean alone = asked.sandboxId() == null || isForAlone(labels(pod, asked.sandboxId(), caller), caller);
            for (var secret : alone ? config.secrets() : List.<String>of()) {
                if (access.grantsAlso(pod, ask, secret, requester)) {
                    ask = ask.with(secret);
                    whole = whole.with(surroundings.secrets().allIn(secret, pod));
                }
            }
            var grant = access.mustGrant(pod, ask, requester);
            surroundings.secrets().mustBeThere(whole.secrets(), pod);
            if (asked.sandboxId() != null) {
                mustBeOf(pod, asked.sandboxId(), caller);
            }
            // All programs of a sandbox run as one user, who can read the variables of each.
            if (!alone && !asked.secrets().isEmpty()) {
                throw new BivouacException(
                        ErrorCode.FORBIDDEN,
                        "Others may use this sandbox and could read the secrets: leave sandboxId out, or name one"
                                + " whose label " + GUEST_LABEL + " is your WebID.");
            }
            var admitted = new Admitted(grant, whole, files(whole, grant));
            surroundings.refusals().admitted(caller.id());
            return admitted;
        } catch (BivouacException refusal) {
            throw writtenDown(refusal, pod, caller);
        } catch (PodUnreadable unreadable) {
            var refusal = new BivouacException(
                    ErrorCode.UNAVAILABLE, "The Pod's ACL cannot be read: " + unreadable.getMessage() + ".");
            throw writtenDown(refusal, pod, caller);
        }
    }

    private BivouacException writtenDown(BivouacException refusal, Pod pod, Caller caller) {
        var refusals = surroundings.refusals();
        refusals.write(
                caller.project(), caller.refusedBy(refusals), "session.refused", pod.url(), refusal.getMessage());
        return refusal.writtenDown();
    }

    private PodFiles files(SessionRequest whole, Grant grant) throws PodUnreadable {
        return whole.sandboxId() == null
                ? surroundings.views().of(grant, whole.workdir())
                : PodViews.absent("the sandbox was there before the session");
    }

    /**
     * The caller answers for the variables that they set, unless a launch rule judges them. The Pod's own may be any
     * but those that turn a program into another; what its command may not have is left out later.
     */
    private static TerminalAsk ask(Pod pod, SessionRequest whole, SessionRequest asked, LaunchRules launches) {
        var workdir = whole.workdir() == null ? USUAL_WORKDIR : whole.workdir();
        var clean = PodPaths.clean(workdir)
                .map(PodPaths::asFolder)
                .flatMap(pod.paths()::fromAcl)
                .orElseThrow(
                        () -> BivouacException.invalidRequest("workdir must be a whole path without . or .. in it."));
        var secrets = new HashSet<String>();
        for (var secret : asked.secrets()) {
            secrets.add(PodPaths.clean(secret.path())
                    .orElseThrow(() -> BivouacException.invalidRequest(
                            "env." + secret.variable() + ": @ref must be a whole path without . or .. in it.")));
        }
        boolean own = asked.env() != null && !launches.haveOneFor(whole.command());
        var variables = new HashSet<>(own ? asked.env().keySet() : Set.<String>of());
        whole.env().keySet().stream().filter(TurningVariables::include).forEach(variables::add);
        var life = asked.timeout() == null ? null : Duration.ofSeconds(asked.timeout());
        return new TerminalAsk(whole.command(), clean, secrets, variables, life);
    }

    /** The same answer whether it is another's or does not exist: a guest learns nothing about projects. */
    private void mustBeOf(Pod pod, String sandbox, Caller caller) {
        var labels = labels(pod, sandbox, caller);
        if (labels.isEmpty() || (labels.containsKey(GUEST_LABEL) && !isForAlone(labels, caller))) {
            throw SandboxId.noSuchSandbox(sandbox);
        }
    }

    private static boolean isForAlone(Map<String, String> labels, Caller caller) {
        return caller.visitor().webId().equals(labels.get(GUEST_LABEL));
    }

    /** Of a sandbox that is the Pod's; none of any other. */
    private Map<String, String> labels(Pod pod, String sandbox, Caller caller) {
        return store.find(SandboxId.parse(sandbox))
                .filter(found -> found.project().equals(caller.project()))
                .map(found -> found.definition().labels())
                .filter(labels -> pod.url().equals(labels.get(LABEL)))
                .orElse(Map.of());
    }

    /** Puts secrets among the command's variables, for the agent's eyes only. */
    void handOver(List<SecretRef> wanted, Grant grant, Agent agent, Run.Builder run) {
        if (!wanted.isEmpty()) {
            run.setSealedEnv(surroundings.secrets().sealed(wanted, grant.pod(), agent));
        }
    }

    /**
     * Stores by what right it is opened, before its program can ask for anything, and which secrets it is about to be
     * given: their names.
     */
    void granted(Terminal terminal, List<SecretRef> secrets, Grant grant) {
        sessions.opened(terminal.id(), grant);
        for (var secret : secrets) {
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
