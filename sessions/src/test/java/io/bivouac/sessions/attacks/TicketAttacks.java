package io.bivouac.sessions.attacks;

import io.bivouac.agentlink.testing.AskedUpgrade;
import io.bivouac.agentlink.testing.Guest;
import io.bivouac.agentlink.testing.Http;
import io.bivouac.agentlink.testing.PodHouse;
import io.bivouac.agentlink.testing.Socket;
import io.bivouac.foundation.access.ApiKeys;
import io.bivouac.foundation.access.Role;
import io.bivouac.foundation.access.Tickets;
import java.util.List;
import java.util.Map;

/** One-time tickets, used otherwise than they were given. */
final class TicketAttacks {
    private static final String REFUSED = "401 UNAUTHORIZED";

    /** Both are on the operator's list. */
    private static final String PAGE = "https://one.example";

    private static final String OTHER_PAGE = "https://two.example";
    static final String PAGES = PAGE + "," + OTHER_PAGE;

    private TicketAttacks() {}

    static List<Attack> all() {
        return List.of(
                row("a ticket that was used before", REFUSED, "login.refused", house -> {
                    var session = opened(house, house.guest("bob"));
                    Socket.open(session.text("wsUrl"), Map.of(), "bivouac.json", ticket(session))
                            .close();
                    return upgrade(session, ticket(session));
                }),
                row("a ticket in an address that was used before", REFUSED, "login.refused", house -> {
                    var session = opened(house, house.guest("bob"));
                    var address = "?ticket=" + ticket(session).substring("bivouac.ticket.".length());
                    Socket.open(session.text("wsUrl") + address, Map.of()).close();
                    return Attack.of(AskedUpgrade.of(http(session) + address));
                }),
                row("a ticket in the address of another session", REFUSED, "login.refused", house -> {
                    var bob = house.guest("bob");
                    var ticket = ticket(opened(house, bob)).substring("bivouac.ticket.".length());
                    return Attack.of(AskedUpgrade.of(http(opened(house, bob)) + "?ticket=" + ticket));
                }),
                row("a ticket in the address of a request that opens no WebSocket", REFUSED, "login.refused", house -> {
                    var session = opened(house, house.guest("bob"));
                    var address = "?ticket=" + ticket(session).substring("bivouac.ticket.".length());
                    return Attack.of(AskedUpgrade.by("GET", "keep-alive", http(session) + address));
                }),
                row("a ticket of another session", REFUSED, "login.refused", house -> {
                    var bob = house.guest("bob");
                    return upgrade(opened(house, bob), ticket(opened(house, bob)));
                }),
                row(
                        "a ticket that was never given",
                        REFUSED,
                        "login.refused",
                        house -> upgrade(opened(house, house.guest("bob")), "bivouac.ticket." + "A".repeat(32))),
                row("a ticket from a page that it was not given to", "403 FORBIDDEN", "request.refused", house -> {
                    var session = opened(house, house.guest("bob"));
                    return Attack.of(AskedUpgrade.of(
                            http(session),
                            "Origin: https://evil.example",
                            "Sec-WebSocket-Protocol: bivouac.json, " + ticket(session)));
                }),
                row("a ticket of another page that is trusted too", REFUSED, "login.refused", house -> {
                    var session = openedBy(house, "Origin", PAGE);
                    return Attack.of(AskedUpgrade.of(
                            http(session),
                            "Origin: " + OTHER_PAGE,
                            "Sec-WebSocket-Protocol: bivouac.json, " + ticket(session)));
                }),
                row("a ticket that is too old", REFUSED, "login.refused", house -> {
                    var session = opened(house, house.guest("bob"));
                    house.relay()
                            .statement("UPDATE tickets SET expires_at = expires_at - interval '"
                                    + Tickets.VALID_FOR.toSeconds() + " s'");
                    return upgrade(session, ticket(session));
                }),
                row("a ticket as a login for a request", REFUSED, "login.refused", house -> {
                    var session = opened(house, house.guest("bob"));
                    var text = ticket(session).substring("bivouac.ticket.".length());
                    return Attack.of(house.relay().http(text).get(PodHouse.SESSIONS));
                }),
                row("a ticket for the next ticket", REFUSED, "login.refused", house -> {
                    var session = opened(house, house.guest("bob"));
                    return bent(session, "POST", "keep-alive", renewal(session));
                }),
                row("a ticket with another method than its WebSocket's", REFUSED, "login.refused", house -> {
                    var session = opened(house, house.guest("bob"));
                    return bent(session, "POST", "Upgrade", http(session));
                }),
                row("a ticket for a request that opens no WebSocket", REFUSED, "login.refused", house -> {
                    var session = opened(house, house.guest("bob"));
                    return bent(session, "GET", "keep-alive", http(session));
                }),
                row("a ticket for another path of its session", REFUSED, "login.refused", house -> {
                    var session = opened(house, house.guest("bob"));
                    return bent(session, "GET", "Upgrade", http(session).replaceFirst("/ws$", ""));
                }),
                row("a ticket of a key that was revoked", REFUSED, "login.refused", TicketAttacks::ofARevokedKey),
                row("a plain request for a WebSocket", "400 INVALID_REQUEST", "request.refused", house -> {
                    var bob = house.guest("bob");
                    var session = opened(house, bob).text("sessionId");
                    return Attack.of(bob.get(PodHouse.SESSIONS + "/" + session + "/ws"));
                }),
                row("a ticket for a session whose time is over", "410 SESSION_EXPIRED", "request.refused", house -> {
                    var session = opened(house, house.guest("bob"));
                    var ticket = ticket(session);
                    house.relay()
                            .statement("UPDATE terminals SET expires_at = now() - interval '1 s' WHERE id = '"
                                    + session.text("sessionId") + "'");
                    return upgrade(session, ticket);
                }),
                row("a ticket for another's session", "404 SESSION_NOT_FOUND", "request.refused", house -> {
                    var session = opened(house, house.guest("bob")).text("sessionId");
                    return Attack.of(
                            house.guest("mallory").post(PodHouse.SESSIONS + "/" + session + "/ticket", Map.of()));
                }));
    }

    private static Attack row(String attempt, String answer, String audit, Attack.Attempt act) {
        return new Attack("tickets", attempt, answer, audit, act);
    }

    private static Http.Answer openedBy(PodHouse house, String... headers) throws Exception {
        house.letBobIn("");
        var body = "{\"sandboxId\":\"" + house.sandbox() + "\",\"command\":\"cat\",\"workdir\":\"/tmp\"}";
        var made = Guest.answer(house.guest("bob").send("POST", PodHouse.SESSIONS, body, headers));
        if (made.status() != 201) {
            throw new AssertionError(made.toString());
        }
        return made;
    }

    static Http.Answer opened(PodHouse house, Guest guest) throws Exception {
        house.letBobIn("");
        var made = guest.post(PodHouse.SESSIONS, house.session());
        if (made.status() != 201) {
            throw new AssertionError(made.toString());
        }
        return made;
    }

    static String ticket(Http.Answer session) {
        return session.body().get("protocols").get(1).getStringValue();
    }

    private static String bent(Http.Answer session, String method, String connection, String url) throws Exception {
        return Attack.of(
                AskedUpgrade.by(method, connection, url, "Sec-WebSocket-Protocol: bivouac.json, " + ticket(session)));
    }

    private static String renewal(Http.Answer session) {
        return http(session).replaceFirst("/ws$", "/ticket");
    }

    private static String ofARevokedKey(PodHouse house) throws Exception {
        var keys = house.relay().bean(ApiKeys.class);
        var admin = house.relay().caller();
        var made = keys.make(admin, "leaver", Role.DEVELOPER, false);
        var session = house.relay().http(made.text().value()).post(PodHouse.SESSIONS, house.session());
        keys.revoke(admin, made.key().id());
        return upgrade(session, ticket(session));
    }

    private static String http(Http.Answer session) {
        return "http" + session.text("wsUrl").substring(2);
    }

    private static String upgrade(Http.Answer session, String ticket) throws Exception {
        return Attack.of(AskedUpgrade.of(http(session), "Sec-WebSocket-Protocol: bivouac.json, " + ticket));
    }
}
