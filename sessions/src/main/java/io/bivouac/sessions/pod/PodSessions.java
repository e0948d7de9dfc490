package io.bivouac.sessions.pod;

import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

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

    /** What those of the terminals have that a Pod granted, by the terminal's id. */
    public Map<String, SessionPermissions> permissionsOf(List<String> terminals) {
        return terminals.isEmpty()
                ? Map.of()
                : rows.findAll(terminals).stream()
                        .filter(session -> session.permissions() != null)
                        .collect(Collectors.toMap(PodSession::terminalId, PodSession::permissions));
    }
}
