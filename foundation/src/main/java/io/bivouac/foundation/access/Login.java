package io.bivouac.foundation.access;

import io.micronaut.core.annotation.Nullable;
import java.time.Instant;

/**
 * How a caller has logged in.
 *
 * @param visitor whom the caller's own issuer vouches for, when this very request proves it
 * @param endsAt when the token that was shown is no longer taken; null for a key, which ends by being revoked
 * @param byTicket whether a ticket was all that was shown
 */
public record Login(@Nullable Visitor visitor, @Nullable Instant endsAt, boolean byTicket) {
    static final Login BY_KEY = new Login(null, null, false);
    static final Login BY_TICKET = new Login(null, null, true);

    public static Login byToken(Instant endsAt) {
        return new Login(null, endsAt, false);
    }

    public static Login byToken(Visitor visitor, Instant endsAt) {
        return new Login(visitor, endsAt, false);
    }
}
