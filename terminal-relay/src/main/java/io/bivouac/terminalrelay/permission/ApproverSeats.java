package io.bivouac.terminalrelay.permission;

import io.bivouac.agentlink.RelayThreads;
import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.presence.ApproverPresence;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.terminalrelay.terminal.Listening;
import io.bivouac.terminalrelay.terminal.Terminal;
import io.bivouac.terminalrelay.wire.ToClient;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The clients of terminals that are attached here and may answer questions. Each hears of its own terminal's
 * questions, and of those that no terminal's program asked in its sandbox. Thread-safe.
 */
@Singleton
public class ApproverSeats {
    private static final Logger LOG = LoggerFactory.getLogger(ApproverSeats.class);

    private final Permissions permissions;
    private final PermissionRows rows;
    private final Approvers approvers;
    private final ApproverPresence presence;
    private final RelayThreads threads;
    private final Map<String, Set<ApproverSeat>> bySandbox = new ConcurrentHashMap<>();

    ApproverSeats(
            Permissions permissions,
            PermissionRows rows,
            Approvers approvers,
            ApproverPresence presence,
            RelayThreads threads) {
        this.permissions = permissions;
        this.rows = rows;
        this.approvers = approvers;
        this.presence = presence;
        this.threads = threads;
    }

    /** Refuses who may answer none of this terminal's questions. */
    public void mustApprove(Terminal terminal, Caller caller) {
        if (!approvers.mayApprove(caller, terminal)) {
            throw new BivouacException(
                    ErrorCode.FORBIDDEN, "This caller may not answer this terminal's permission requests.");
        }
    }

    /** The same client, who now also hears of questions and can answer them, if the caller may. */
    public Listening join(Terminal terminal, Caller caller, Listening client) {
        var seat = new ApproverSeat(terminal, caller, client, this);
        if (caller.isGuest()) {
            Thread.ofVirtual().name("permission").start(() -> sitIfMay(seat));
        } else if (approvers.mayApprove(caller, terminal)) {
            sit(seat);
            Thread.ofVirtual().name("permission").start(() -> show(seat));
        }
        return seat;
    }

    private void sitIfMay(ApproverSeat seat) {
        try {
            if (approvers.mayApprove(seat.caller(), seat.terminal())) {
                sit(seat);
                show(seat);
            }
        } catch (RuntimeException failed) {
            LOG.warn("{}: its guest gets no questions: {}", seat.terminal().id(), failed.toString());
        }
        // They may have left meanwhile, when there was nothing to leave yet.
        if (seat.isGone()) {
            left(seat);
        }
    }

    private void sit(ApproverSeat seat) {
        seat.counted(
                presence.joined(seat.terminal().projectId(), seat.terminal().sandboxId()));
        bySandbox.compute(seat.terminal().sandboxId(), (_, seats) -> {
            var set = seats == null ? ConcurrentHashMap.<ApproverSeat>newKeySet() : seats;
            set.add(seat);
            return set;
        });
    }

    void left(ApproverSeat seat) {
        seat.countedNoMore();
        bySandbox.computeIfPresent(seat.terminal().sandboxId(), (_, seats) -> {
            seats.remove(seat);
            return seats.isEmpty() ? null : seats;
        });
    }

    void heard(PermissionRequest request) {
        for (var seat : bySandbox.getOrDefault(request.sandboxId(), Set.of())) {
            seat.hear(request);
        }
    }

    /** For those who were not listening when something was said. */
    void lookAgain() {
        bySandbox
                .values()
                .forEach(seats ->
                        seats.stream().filter(ApproverSeat::hasMissedSomething).forEach(this::show));
    }

    /** The feed was away: anything may have been missed. */
    void lookAtAll() {
        bySandbox.values().forEach(seats -> seats.forEach(this::show));
    }

    private void show(ApproverSeat seat) {
        try {
            var terminal = seat.terminal();
            var shown = seat.looksAgain();
            if (!shown.isEmpty()) {
                rows.findAll(shown).forEach(seat::hear);
            }
            rows.openIn(terminal.projectId(), terminal.sandboxId()).forEach(seat::hear);
        } catch (RuntimeException later) {
            LOG.debug("{}: will be shown later: {}", seat.terminal().id(), later.getMessage());
            seat.missed();
        }
    }

    /** Answers for a seat, one after the other and off the network's thread, until it has no more to say. */
    void answerFor(ApproverSeat seat) {
        try {
            threads.execute(() -> {
                for (var said = seat.nextAnswer(); said != null; said = seat.nextAnswer()) {
                    answer(seat, said);
                }
            });
        } catch (RejectedExecutionException tooMany) {
            while (seat.nextAnswer() != null) {
                seat.tell(new ToClient.Failed(ErrorCode.UNAVAILABLE, "The server has too much to do; try again."));
            }
        }
    }

    private void answer(ApproverSeat seat, ApproverSeat.Said said) {
        var response = said.response();
        try {
            var verdict = new Permissions.Verdict(
                    response.granted(),
                    response.until(),
                    response.reason(),
                    GrantScope.read(response.scope()),
                    said.cameIn());
            permissions.answer(response.requestId(), seat.caller(), null, verdict);
        } catch (BivouacException refused) {
            seat.tell(new ToClient.Failed(refused.code(), refused.getMessage(), refused.details()));
        } catch (RuntimeException failed) {
            LOG.warn("{}: an answer could not be written down", response.requestId(), failed);
            seat.tell(new ToClient.Failed(ErrorCode.UNAVAILABLE, ErrorCode.UNAVAILABLE.title()));
        }
    }
}
