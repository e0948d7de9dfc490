package io.bivouac.terminalrelay.identity;

import com.nimbusds.jwt.JWTParser;
import io.bivouac.sandboxes.access.BoundToken;
import io.bivouac.sandboxes.audit.Audit;
import io.bivouac.sandboxes.error.BivouacException;
import io.bivouac.sandboxes.error.ErrorCode;
import jakarta.inject.Singleton;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * Writes refused logins down. Anybody can have a login refused, so there are only so many rows a minute; those that
 * got none are counted in the next row. Thread-safe.
 */
@Singleton
class RefusedLogins {
    private static final Duration WINDOW = Duration.ofMinutes(1);
    private static final int LONGEST = 200;

    private final Audit audit;
    private final GuestProject project;
    private final int most;
    private final Clock clock;
    private Instant since = Instant.EPOCH;
    private int written;
    private long unwritten;

    RefusedLogins(Audit audit, GuestProject project, SolidSettings settings, Clock clock) {
        this.audit = audit;
        this.project = project;
        this.most = settings.getRefusalsAudited();
        this.clock = clock;
    }

    void note(BoundToken presented, BivouacException refusal) {
        if (refusal.code() != ErrorCode.UNAUTHORIZED) {
            return;
        }
        long missed = place();
        if (missed >= 0) {
            var more = missed == 0 ? "" : " (" + missed + " refused logins before this one have no row)";
            audit.append(project.id(), "nobody", "login.refused", claimed(presented), refusal.getMessage() + more);
        }
    }

    /** How many were not written since the last row, or less than 0 when there is no place for this one either. */
    private synchronized long place() {
        var now = clock.instant();
        if (Duration.between(since, now).compareTo(WINDOW) > 0) {
            since = now;
            written = 0;
        }
        if (written >= most) {
            unwritten++;
            return -1;
        }
        written++;
        long missed = unwritten;
        unwritten = 0;
        return missed;
    }

    /** Who they said they were, which proves nothing. */
    private static String claimed(BoundToken presented) {
        try {
            var webId = JWTParser.parse(presented.token()).getJWTClaimsSet().getStringClaim("webid");
            if (webId != null) {
                var printable = webId.replaceAll("[^\\x21-\\x7e]", "?");
                return printable.length() <= LONGEST ? printable : printable.substring(0, LONGEST);
            }
        } catch (ParseException | IllegalArgumentException unreadable) {
            // Then there is no name to write down.
        }
        return "unknown";
    }
}
