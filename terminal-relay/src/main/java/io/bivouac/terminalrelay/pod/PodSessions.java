package io.bivouac.terminalrelay.pod;

import jakarta.inject.Singleton;
import java.time.Clock;

/** Keeps by what right guests' sessions were opened. Thread-safe. */
@Singleton
public class PodSessions {
    private final PodSessionRows rows;
    private final Clock clock;

    PodSessions(PodSessionRows rows, Clock clock) {
        this.rows = rows;
        this.clock = clock;
    }

    public void opened(String terminal, Grant grant) {
        rows.save(PodSession.of(terminal, grant, clock.instant()));
    }
}
