package io.bivouac.terminalrelay.terminal;

import io.bivouac.agentlink.AgentConnections;
import io.bivouac.foundation.audit.Audit;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes terminals away from those who may no longer have them. Thread-safe. */
@Singleton
public class Revocation {
    private static final Logger LOG = LoggerFactory.getLogger(Revocation.class);

    private final TerminalRows rows;
    private final TerminalMaker maker;
    private final AgentConnections agents;
    private final Audit audit;

    Revocation(TerminalRows rows, TerminalMaker maker, AgentConnections agents, Audit audit) {
        this.rows = rows;
        this.maker = maker;
        this.agents = agents;
        this.audit = audit;
    }

    /** Ends it. What cannot be reached now is ended by the relay that its agent comes to. */
    public void revoke(String id, String why) {
        if (rows.ending(id, EndReason.REVOKED.wireName()) == 0) {
            return;
        }
        rows.findById(id).ifPresent(terminal -> {
            audit.append(terminal.projectId(), terminal.owner(), "terminal.revoked", id, why);
            agents.find(terminal.sandbox()).ifPresent(agent -> {
                try {
                    maker.end(terminal, EndReason.REVOKED, agent);
                } catch (RuntimeException later) {
                    LOG.debug("{}: left to the next look: {}", id, later.getMessage());
                }
            });
        });
    }

    /** Has it end this long after its beginning, if that is sooner than so far. */
    public void cut(String id, Duration longest) {
        rows.findById(id)
                .ifPresent(terminal -> rows.cut(id, terminal.createdAt().plus(longest)));
    }
}
