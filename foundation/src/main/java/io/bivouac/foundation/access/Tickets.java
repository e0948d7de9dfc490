package io.bivouac.foundation.access;

import io.bivouac.sandboxmodel.Sha256;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;

/**
 * One-time logins for one thing, for clients that can send no header of their own: a browser's WebSocket. Any
 * process can redeem what another gave. Thread-safe.
 */
@Singleton
public class Tickets {
    public static final Duration VALID_FOR = Duration.ofSeconds(30);

    /** Before the ticket's text, where a browser can name it: among the WebSocket's subprotocols. */
    public static final String PROTOCOL = "bivouac.ticket.";

    /** The parameter of a WebSocket's address that names a ticket, for clients that can ask for no subprotocol. */
    public static final String PARAMETER = "ticket";

    private static final int RANDOM_BYTES = 24;
    private static final int LONGEST = 64;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final TicketRows rows;
    private final ApiKeys keys;
    private final Clock clock;

    Tickets(TicketRows rows, ApiKeys keys, Clock clock) {
        this.rows = rows;
        this.keys = keys;
        this.clock = clock;
    }

    /** The text of a new ticket, which only its holder has. It ends no later than the login that it was given for. */
    public String give(Caller caller, String subject, @Nullable String origin) {
        if (caller.login().byTicket()) {
            throw new BivouacException(ErrorCode.FORBIDDEN, "A ticket opens its terminal and gives no other ticket.");
        }
        var bytes = new byte[RANDOM_BYTES];
        RANDOM.nextBytes(bytes);
        var text = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        var now = clock.instant();
        rows.purge(now);
        rows.save(new Ticket(
                hash(text),
                subject,
                caller.id(),
                caller.project(),
                caller.role().wireName(),
                caller.system(),
                origin,
                end(now.plus(VALID_FOR), caller.login().endsAt())));
        return text;
    }

    private static Instant end(Instant usual, @Nullable Instant loginEnds) {
        return loginEnds == null || usual.isBefore(loginEnds) ? usual : loginEnds;
    }

    /** The ticket's text in a list of subprotocols, if there is one. */
    public static Optional<String> in(@Nullable String protocols) {
        if (protocols == null) {
            return Optional.empty();
        }
        return Arrays.stream(protocols.split(","))
                .map(String::strip)
                .filter(protocol -> protocol.startsWith(PROTOCOL))
                .map(protocol -> protocol.substring(PROTOCOL.length()))
                .findFirst();
    }

    /**
     * Uses a ticket up; nothing when it is unknown, used, too old, was given to a page elsewhere, or when the key that
     * it was given for is revoked.
     */
    public Optional<Ticket> redeem(String text, @Nullable String origin) {
        if (text.length() > LONGEST) {
            return Optional.empty();
        }
        var hash = hash(text);
        return rows.findById(hash)
                .filter(_ -> rows.use(hash) == 1)
                .filter(ticket -> ticket.expiresAt().isAfter(clock.instant()))
                .filter(ticket -> ticket.origin() == null || ticket.origin().equals(origin))
                .filter(this::isStillHeld);
    }

    private boolean isStillHeld(Ticket ticket) {
        return !ticket.callerId().startsWith(ApiKey.PREFIX)
                || keys.holder(ticket.callerId()).isPresent();
    }

    private static String hash(String text) {
        return HexFormat.of().formatHex(Sha256.of(text));
    }
}
