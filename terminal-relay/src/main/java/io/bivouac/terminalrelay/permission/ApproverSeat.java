package io.bivouac.terminalrelay.permission;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.presence.ApproverPresence;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.terminalrelay.terminal.Listening;
import io.bivouac.terminalrelay.terminal.Terminal;
import io.bivouac.terminalrelay.wire.FromClient;
import io.bivouac.terminalrelay.wire.ToClient;
import io.micronaut.core.annotation.Nullable;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** One client of a terminal that hears of questions and answers them. Thread-safe. */
final class ApproverSeat implements Listening {
    /** A person has as many in hand as are open; the rest is a flood. */
    static final int MOST_WAITING = 64;

    private final Terminal terminal;
    private final Caller caller;
    private final Listening client;
    private final ApproverSeats seats;

    /** What the client sees right now; as many as may be open. */
    private final Set<String> shown = new HashSet<>();

    /** Said by the client and not written down yet. */
    private final ArrayDeque<Said> answers = new ArrayDeque<>();

    /** An answer, and when it came in by the system's nanosecond clock. */
    record Said(FromClient.PermissionResponse response, long cameIn) {}

    /** What has others know that somebody is here; null while not seated. */
    private ApproverPresence.@Nullable Seat counted;

    private boolean answering;
    private boolean missed;
    private volatile boolean gone;

    ApproverSeat(Terminal terminal, Caller caller, Listening client, ApproverSeats seats) {
        this.terminal = terminal;
        this.caller = caller;
        this.client = client;
        this.seats = seats;
    }

    Terminal terminal() {
        return terminal;
    }

    Caller caller() {
        return caller;
    }

    boolean isGone() {
        return gone;
    }

    synchronized void counted(ApproverPresence.Seat seat) {
        countedNoMore();
        counted = seat;
    }

    synchronized void countedNoMore() {
        if (counted != null) {
            counted.close();
            counted = null;
        }
    }

    /** A question is new, or has its answer. Said once each, however often it is heard. */
    synchronized void hear(PermissionRequest request) {
        boolean concerns = request.terminalId() == null || request.terminalId().equals(terminal.id());
        if (!concerns) {
            return;
        }
        if (request.isOpen() && !shown.contains(request.id())) {
            if (client.tell(request.shown())) {
                shown.add(request.id());
            } else {
                missed = true;
            }
        } else if (!request.isOpen() && shown.contains(request.id())) {
            if (client.tell(request.resolved())) {
                shown.remove(request.id());
            } else {
                missed = true;
            }
        }
    }

    /** What the client sees, to be compared with what is true; nothing counts as missed any more. */
    synchronized List<String> looksAgain() {
        missed = false;
        return List.copyOf(shown);
    }

    synchronized boolean hasMissedSomething() {
        return missed;
    }

    synchronized void missed() {
        missed = true;
    }

    @Override
    public void receive(FromClient message) {
        if (message instanceof FromClient.PermissionResponse response) {
            answer(response);
        } else {
            client.receive(message);
        }
    }

    private void answer(FromClient.PermissionResponse response) {
        synchronized (this) {
            if (answers.size() < MOST_WAITING) {
                answers.add(new Said(response, System.nanoTime()));
                if (!answering) {
                    answering = true;
                    seats.answerFor(this);
                }
                return;
            }
        }
        tell(new ToClient.Failed(ErrorCode.RATE_LIMITED, "Answers come faster than they can be written down."));
    }

    /** The next to be written down; null when there is none, and whoever asked need not ask again. */
    synchronized @Nullable Said nextAnswer() {
        var next = answers.poll();
        answering = next != null;
        return next;
    }

    @Override
    public boolean tell(ToClient message) {
        return client.tell(message);
    }

    @Override
    public void misheard(String why) {
        client.misheard(why);
    }

    @Override
    public void gone(boolean farewell) {
        gone = true;
        seats.left(this);
        client.gone(farewell);
    }
}
