package io.bivouac.sessions.attacks;

import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import io.bivouac.agentlink.testing.DpopKey;
import io.bivouac.agentlink.testing.Guest;
import io.bivouac.agentlink.testing.PodHouse;
import io.bivouac.agentlink.testing.SolidIssuer;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Logins that are not what they seem. The corpus of all of them is held against another library elsewhere. */
final class TokenAttacks {
    private static final String REFUSED = "401 UNAUTHORIZED";
    private static final String AUDIT = "login.refused";

    private TokenAttacks() {}

    static List<Attack> all() {
        return List.of(
                token("a token that is over", claims -> claims.expirationTime(ago(600))),
                token("a token for another audience", claims -> claims.audience("elsewhere")),
                token("a token that names no client", claims -> claims.claim("client_id", null)),
                row(
                        "a token of an issuer that the WebID does not name",
                        house -> Attack.of(house.guest("stranger").get(PodHouse.SESSIONS))),
                token(
                        "a token that is bound to another's key",
                        claims -> claims.claim("cnf", Map.of("jkt", "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"))),
                row("a token signed by a key that its issuer does not have", TokenAttacks::forged),
                row("a bound token as if it were a bearer token", house -> {
                    var bob = house.guest("bob");
                    return sent(bob, "Authorization", "Bearer " + bob.token());
                }),
                row("a token without a proof", house -> {
                    var bob = house.guest("bob");
                    return sent(bob, "Authorization", "DPoP " + bob.token());
                }),
                row("a proof that was shown before", house -> {
                    var bob = house.guest("bob");
                    var proof = bob.key().proof("GET", url(bob), bob.token());
                    proven(bob, proof);
                    return proven(bob, proof);
                }),
                proof("a proof for another method", bob -> bob.key().proof("POST", url(bob), bob.token())),
                proof(
                        "a proof for another server",
                        bob -> bob.key().proof("GET", "https://elsewhere.example" + PodHouse.SESSIONS, bob.token())),
                proof("a proof that names another token", bob -> bob.key().proof("GET", url(bob), "another")),
                proof("a proof by another key", bob -> DpopKey.next().proof("GET", url(bob), bob.token())),
                proof(
                        "an old proof",
                        bob -> bob.key()
                                .sign(
                                        bob.key().header().build(),
                                        DpopKey.claims("GET", url(bob))
                                                .claim("ath", DpopKey.hash(bob.token()))
                                                .issueTime(ago(300))
                                                .build())),
                row("a WebID whose profile is nested without end", house -> {
                    house.issuer().serve("/nested", "text/turtle", "<#me> <#is> " + "(".repeat(200_000));
                    return Attack.of(house.guest("nested").get(PodHouse.SESSIONS));
                }),
                row(
                        "a WebID at the doors of the API",
                        house ->
                                Attack.of(house.guest("bob").get("/api/v1/sandboxes/" + house.sandbox() + "/process"))),
                row(
                        "a key that nobody has",
                        house -> Attack.of(house.relay()
                                .http("bvk_not-a-key-of-ours-at-all")
                                .get(PodHouse.SESSIONS))));
    }

    private static Attack row(String attempt, Attack.Attempt act) {
        return new Attack("tokens", attempt, REFUSED, AUDIT, act);
    }

    private static Attack token(String attempt, UnaryOperator<JWTClaimsSet.Builder> change) {
        return row(attempt, house -> {
            var key = DpopKey.next();
            var claims = house.issuer().claims(key).claim("webid", house.webId("bob"));
            var token = house.issuer().sign(change.apply(claims).build());
            return Attack.of(new Guest(house.relay().http().base(), token, key).get(PodHouse.SESSIONS));
        });
    }

    private interface Proof {
        String of(Guest guest);
    }

    private static Attack proof(String attempt, Proof proof) {
        return row(attempt, house -> {
            var bob = house.guest("bob");
            return proven(bob, proof.of(bob));
        });
    }

    private static String forged(PodHouse house) throws Exception {
        var key = DpopKey.next();
        var claims =
                house.issuer().claims(key).claim("webid", house.webId("bob")).build();
        var mallorys = new ECKeyGenerator(Curve.P_256).keyID("one").generate();
        var token = SolidIssuer.sign(house.issuer().header().build(), claims, mallorys);
        return Attack.of(new Guest(house.relay().http().base(), token, key).get(PodHouse.SESSIONS));
    }

    private static String proven(Guest guest, String proof) throws Exception {
        return sent(guest, "Authorization", "DPoP " + guest.token(), "DPoP", proof);
    }

    private static String sent(Guest guest, String... login) throws Exception {
        return Attack.of(Guest.answer(guest.send("GET", PodHouse.SESSIONS, "", List.of(login))));
    }

    private static String url(Guest guest) {
        return guest.base() + PodHouse.SESSIONS;
    }

    private static Date ago(int seconds) {
        return Date.from(Instant.now().minusSeconds(seconds));
    }
}
