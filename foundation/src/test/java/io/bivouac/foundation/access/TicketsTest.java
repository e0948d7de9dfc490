package io.bivouac.foundation.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bivouac.foundation.fixture.House;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class TicketsTest {
    private static final String TERMINAL = "pty-one";

    private final Tickets tickets = House.get(Tickets.class);
    private final ApiKeys keys = House.get(ApiKeys.class);
    private final Caller admin = House.newProject();
    private final ApiKeys.Made made = keys.make(admin, "page", Role.DEVELOPER, false);
    private final Caller caller = keys.authenticate(made.text()).orElseThrow();

    @Test
    void aTicketStandsOnceForWhomItWasGiven() {
        var text = tickets.give(caller, TERMINAL, null);
        var ticket = tickets.redeem(text, null).orElseThrow();
        assertThat(ticket.subject()).isEqualTo(TERMINAL);
        assertThat(ticket.caller().id()).isEqualTo(caller.id());
        assertThat(tickets.redeem(text, null)).isEmpty();
    }

    @Test
    void aTicketOfARevokedKeyOpensNothing() {
        var text = tickets.give(caller, TERMINAL, null);
        keys.revoke(admin, made.key().id());
        assertThat(tickets.redeem(text, null)).isEmpty();
    }

    @Test
    void whoCameByATicketIsGivenNone() {
        var visitor = tickets.redeem(tickets.give(caller, TERMINAL, null), null)
                .orElseThrow()
                .caller();
        assertThatThrownBy(() -> tickets.give(visitor, TERMINAL, null))
                .isInstanceOfSatisfying(
                        BivouacException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.FORBIDDEN));
    }

    @Test
    void aTicketEndsWithTheTokenThatItWasGivenFor() {
        var over = Instant.now().minusSeconds(1);
        var lasting = Instant.now().plusSeconds(3600);
        assertThat(tickets.redeem(tickets.give(byToken(over), TERMINAL, null), null))
                .isEmpty();
        assertThat(tickets.redeem(tickets.give(byToken(lasting), TERMINAL, null), null))
                .hasValueSatisfying(ticket -> assertThat(ticket.expiresAt()).isBefore(lasting));
    }

    private Caller byToken(Instant end) {
        return new Caller("example:ada", admin.project(), Role.DEVELOPER, false, Login.byToken(end));
    }
}
