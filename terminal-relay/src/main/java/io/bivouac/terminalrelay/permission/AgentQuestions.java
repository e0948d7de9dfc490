package io.bivouac.terminalrelay.permission;

import io.bivouac.agent.v1.PermissionAnswered;
import io.bivouac.agent.v1.PermissionAsked;
import io.bivouac.agentlink.AgentConnection;
import io.bivouac.agentlink.PermissionListener;
import io.bivouac.agentlink.RelayThreads;
import io.bivouac.foundation.audit.Refusals;
import io.bivouac.foundation.audit.RefusedActor;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxio.text.ShownText;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SortableId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.terminalrelay.terminal.Terminals;
import io.micronaut.core.annotation.Nullable;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The questions of the agents that are connected here, and the answers' way back to them. Thread-safe. */
@Singleton
class AgentQuestions implements PermissionListener, Askers {
    private static final Logger LOG = LoggerFactory.getLogger(AgentQuestions.class);
    private static final int LONGEST_TEXT = 4096;

    private final Permissions permissions;
    private final PermissionRows rows;
    private final SandboxStore store;
    private final Surroundings surroundings;
    private final PermissionSettings settings;
    private final PermissionMetrics metrics;

    /** By the request's id; as many as agents are let ask. */
    private final Map<String, Waiting> waiting = new ConcurrentHashMap<>();

    private record Waiting(AgentConnection agent, String questionId) {}

    /** What is known beside the questions. */
    @Singleton
    record Surroundings(Terminals terminals, GuestApprovals guests, Refusals refusals, RelayThreads threads) {}

    AgentQuestions(
            Permissions permissions,
            PermissionRows rows,
            SandboxStore store,
            Surroundings surroundings,
            PermissionSettings settings,
            PermissionMetrics metrics) {
        this.permissions = permissions;
        this.rows = rows;
        this.store = store;
        this.surroundings = surroundings;
        this.settings = settings;
        this.metrics = metrics;
    }

    @Override
    public void asked(AgentConnection by, PermissionAsked question) {
        long cameIn = System.nanoTime();
        metrics.asked();
        try {
            surroundings.threads().execute(() -> ask(by, question, cameIn));
        } catch (RejectedExecutionException tooMany) {
            deny(new Waiting(by, question.getQuestionId()), "too many questions at once");
        }
    }

    private void ask(AgentConnection by, PermissionAsked question, long cameIn) {
        var place = new Waiting(by, question.getQuestionId());
        try {
            var sandbox = store.find(by.sandbox())
                    .orElseThrow(() -> SandboxId.noSuchSandbox(by.sandbox().value()));
            var draft = draft(sandbox, question);
            // Before anybody can see the question: an answer may come at once.
            waiting.put(draft.id(), place);
            var acl = surroundings
                    .guests()
                    .preAuthorizes(draft.terminalId(), question.getAction(), question.getResource());
            var known = permissions.ask(sandbox, draft, acl.orElse(null));
            if (!known.id().equals(draft.id())) {
                waiting.remove(draft.id());
                if (known.isOpen()) {
                    waiting.put(known.id(), place);
                    look(List.of(known.id()));
                } else {
                    answer(place, known);
                }
            } else if (known.isOpen()) {
                metrics.questionPassed(cameIn);
            }
        } catch (BivouacException refused) {
            boolean expected = refused.code() != ErrorCode.UNAVAILABLE;
            deny(place, expected ? refused.getMessage() : "the question could not be stored");
            if (expected) {
                note(by.sandbox(), question, refused);
            }
        } catch (RuntimeException failed) {
            LOG.warn("{}: a question could not be stored: {}", by.sandbox(), failed.toString());
            deny(place, "the question could not be stored");
        }
    }

    private void note(SandboxId sandbox, PermissionAsked question, BivouacException refused) {
        var subject = ShownText.of(question.getAction(), LONGEST_TEXT);
        surroundings
                .refusals()
                .note(
                        () -> store.find(sandbox).orElseThrow().project(),
                        RefusedActor.sandbox(sandbox.value()),
                        "permission.refused",
                        subject,
                        refused.getMessage());
    }

    private PermissionRequest draft(Sandbox sandbox, PermissionAsked question) {
        var terminal = surroundings.terminals().findLive(question.getCommandId(), sandbox.id());
        var now = store.now();
        return new PermissionRequest(
                SortableId.next(PermissionRequest.PREFIX),
                sandbox.id().value(),
                sandbox.project(),
                terminal.map(found -> found.id()).orElse(null),
                terminal.map(found -> found.owner()).orElse(null),
                question.getQuestionId(),
                ShownText.of(question.getSource(), LONGEST_TEXT),
                ShownText.of(question.getAction(), LONGEST_TEXT),
                ShownText.of(question.getResource(), LONGEST_TEXT),
                ShownText.of(question.getDescription(), LONGEST_TEXT),
                ShownText.of(question.getCwd(), LONGEST_TEXT),
                ShownText.of(question.getInput().toStringUtf8(), LONGEST_TEXT),
                question.getInput().size(),
                Fingerprint.of(question),
                settings.getQuorum(),
                PermissionRequest.OPEN,
                now,
                now.plus(patience(question)),
                null,
                null,
                null,
                null,
                null,
                null);
    }

    private Duration patience(PermissionAsked question) {
        var asked = Duration.ofSeconds(Integer.toUnsignedLong(Math.max(1, question.getTimeoutSeconds())));
        return asked.compareTo(settings.getLongestWait()) > 0 ? settings.getLongestWait() : asked;
    }

    @Override
    public void withdrawn(AgentConnection by, String questionId) {
        Thread.ofVirtual().name("permission").start(() -> {
            try {
                rows.findQuestion(by.sandbox().value(), questionId).ifPresent(request -> {
                    waiting.remove(request.id());
                    permissions.deny(request, "withdrawn");
                });
            } catch (RuntimeException failed) {
                LOG.warn(
                        "{}: a withdrawn question stays open until its time is over: {}",
                        by.sandbox(),
                        failed.toString());
            }
        });
    }

    @Override
    public void heard(PermissionRequest request) {
        var place = waiting.get(request.id());
        if (place != null && !request.isOpen()) {
            answer(place, request);
        }
    }

    @Override
    public void lookAgain() {
        waiting.values().removeIf(place -> place.agent().isBroken());
        if (!waiting.isEmpty()) {
            look(List.copyOf(waiting.keySet()));
        }
    }

    private void look(List<String> ids) {
        rows.findAll(ids).forEach(this::heard);
    }

    private void answer(Waiting place, PermissionRequest request) {
        boolean granted = request.isGranted();
        var until = request.grantedUntil();
        var reason = granted ? request.reason() : whyNot(request);
        send(
                place,
                PermissionAnswered.newBuilder()
                        .setGranted(granted)
                        .setReason(reason == null ? "" : reason)
                        .setRequestId(request.id())
                        .setDecidedBy(request.decidedBy() == null ? "" : request.decidedBy())
                        .setExpiresUnixMillis(until == null ? 0 : until.toEpochMilli()),
                request.id());
    }

    private static String whyNot(PermissionRequest request) {
        return request.reason() == null ? "an approver said no" : request.reason();
    }

    private void deny(Waiting place, String why) {
        waiting.values().remove(place);
        send(place, PermissionAnswered.newBuilder().setReason(why), null);
    }

    private void send(Waiting place, PermissionAnswered.Builder answer, @Nullable String id) {
        try {
            place.agent().answer(answer.setQuestionId(place.questionId()).build());
            if (id != null) {
                waiting.remove(id, place);
            }
        } catch (BivouacException takesNoOrders) {
            LOG.debug("{}: will be answered later: {}", place.agent().sandbox(), takesNoOrders.getMessage());
        }
    }
}
