package io.bivouac.identity;

import com.nimbusds.jwt.JWTParser;
import io.bivouac.foundation.access.BoundToken;
import io.bivouac.foundation.audit.Audit;
import io.bivouac.foundation.audit.RowBudget;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import jakarta.inject.Singleton;
import java.text.ParseException;
import java.time.Clock;

/**
 * Writes refused logins down. Anybody can have a login refused, so there are only so many rows a minute; those that
 * got none are counted in the next row. Thread-safe.
 */
@Singleton
class RefusedLogins {
    private static final int LONGEST = 200;

    private final Audit audit;
    private final GuestProject project;
    private final RowBudget budget;

    RefusedLogins(Audit audit, GuestProject project, SolidSettings settings, Clock clock) {
        this.audit = audit;
        this.project = project;
        this.budget = new RowBudget(settings.getRefusalsAudited(), clock);
    }

    void note(BoundToken presented, BivouacException refusal) {
        if (refusal.code() != ErrorCode.UNAUTHORIZED) {
            return;
        }
        refusal.writtenDown();
        long missed = budget.take();
        if (missed >= 0) {
            var detail = refusal.getMessage() + RowBudget.mention(missed);
            audit.append(project.id(), "nobody", "login.refused", claimed(presented), detail);
        }
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
