package io.bivouac.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bivouac.agentlink.testing.DpopKey;
import io.bivouac.agentlink.testing.SolidIssuer;
import io.bivouac.agentlink.testing.SolidLibraries;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.foundation.access.BoundToken;
import io.bivouac.foundation.access.BoundTokens;
import io.bivouac.foundation.access.Role;
import io.bivouac.foundation.audit.Audit;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.type.Argument;
import io.micronaut.serde.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class TokenCorpusTest {
    private static SolidIssuer issuer;
    private static SolidIssuer stranger;
    private static TestRelay relay;
    private static BoundTokens tokens;

    @BeforeAll
    static void start() throws Exception {
        issuer = SolidIssuer.start();
        stranger = SolidIssuer.start();
        relay = TestRelay.start(
                Map.of("bivouac.solid-allow", "127.0.0.0/8,::1", "bivouac.solid.refusals-audited", 1000));
        tokens = relay.bean(BoundTokens.class);
    }

    @AfterAll
    static void stop() {
        relay.close();
        issuer.close();
        stranger.close();
    }

    private static BoundToken presented(String token, String... proofs) {
        return new BoundToken(token, List.of(proofs), TokenCorpus.METHOD, TokenCorpus.URL);
    }

    /** Null when it is let in, else why not. */
    private static String verdict(TokenCorpus.Login login) {
        try {
            tokens.authenticate(
                    login.proof().isEmpty() ? presented(login.token()) : presented(login.token(), login.proof()));
            return null;
        } catch (BivouacException refusal) {
            assertThat(refusal.code()).as(login.name()).isEqualTo(ErrorCode.UNAUTHORIZED);
            return refusal.getMessage();
        }
    }

    @Test
    void eachLoginGetsItsVerdictHereAndFromThePublishedVerifier() throws Exception {
        // Before the proofs are made: they are good for a minute only.
        SolidLibraries.install();
        var corpus = TokenCorpus.of(issuer, stranger);
        var json = ObjectMapper.getDefault();
        var said = SolidLibraries.run(
                "verify.mjs",
                json.writeValueAsString(corpus.stream()
                        .map(login -> Map.of(
                                "token",
                                login.token(),
                                "proof",
                                login.proof(),
                                "method",
                                TokenCorpus.METHOD,
                                "url",
                                TokenCorpus.URL))
                        .toList()));
        var theirs = json.readValue(said, Argument.listOf(String.class));
        long before = rows();
        var wrong = new LinkedHashMap<String, String>();
        for (int i = 0; i < corpus.size(); i++) {
            var login = corpus.get(i);
            var ours = verdict(login);
            if ((ours == null) != login.ours()) {
                wrong.put(login.name() + " (ours)", String.valueOf(ours));
            }
            if ((theirs.get(i) == null) != login.theirs()) {
                wrong.put(login.name() + " (theirs)", String.valueOf(theirs.get(i)));
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(corpus).hasSizeGreaterThan(60);
        long refused = corpus.stream().filter(login -> !login.ours()).count();
        assertThat(rows() - before).as("each refusal has a row of the audit").isEqualTo(refused);
    }

    private static long rows() {
        var audit = relay.bean(Audit.class);
        return audit.list(relay.caller().project(), Long.MAX_VALUE, 1).items().stream()
                .mapToLong(row -> row.sequence())
                .max()
                .orElse(0);
    }

    @Test
    void aWebIdIsAGuest() throws Exception {
        var key = DpopKey.next();
        var token = issuer.sign(issuer.claims(key).build());
        var caller = tokens.authenticate(presented(token, key.proof(TokenCorpus.METHOD, TokenCorpus.URL, token)));
        assertThat(caller.id()).isEqualTo(issuer.webId());
        assertThat(caller.role()).isEqualTo(Role.GUEST);
        assertThat(caller.visitor().client()).isEqualTo("https://app.example/id");
        assertThat(caller.visitor().issuer()).isEqualTo(issuer.url());
    }

    @Test
    void twoProofsAreNone() throws Exception {
        var key = DpopKey.next();
        var token = issuer.sign(issuer.claims(key).build());
        refused(
                presented(
                        token,
                        key.proof(TokenCorpus.METHOD, TokenCorpus.URL, token),
                        key.proof(TokenCorpus.METHOD, TokenCorpus.URL, token)),
                "one DPoP header, not 2");
    }

    @Test
    void aProofIsShownOnceAtAllRelays() throws Exception {
        var key = DpopKey.next();
        var token = issuer.sign(issuer.claims(key).build());
        var once = presented(token, key.proof(TokenCorpus.METHOD, TokenCorpus.URL, token));
        tokens.authenticate(once);
        try (var other = TestRelay.start(Map.of("bivouac.solid-allow", "127.0.0.0/8,::1"))) {
            var there = other.bean(BoundTokens.class);
            assertThatThrownBy(() -> there.authenticate(once)).hasMessageContaining("it was used before");
            there.authenticate(presented(token, key.proof(TokenCorpus.METHOD, TokenCorpus.URL, token)));
        }
    }

    @Test
    void nothingInsideIsFetchedUnlessTheOperatorOpensIt() throws Exception {
        try (var closed = TestRelay.start()) {
            var key = DpopKey.next();
            var token = issuer.sign(issuer.claims(key).build());
            var proof = key.proof(TokenCorpus.METHOD, TokenCorpus.URL, token);
            assertThatThrownBy(() -> closed.bean(BoundTokens.class).authenticate(presented(token, proof)))
                    .hasMessageContaining("an address that is not public")
                    .hasMessageNotContainingAny("10.", "127.", "169.", "::1");
        }
    }

    @Test
    void aProfileThatLeadsOnForEverOrIsTooLargeIsNotFollowed() throws Exception {
        issuer.redirect("/round", issuer.url() + "round");
        issuer.redirect("/once", issuer.url() + "profile");
        issuer.serve("/large", "text/turtle", issuer.profile(issuer.url()) + "#".repeat(300_000));
        var key = DpopKey.next();
        refused(withWebId(key, "round#me"), "too many redirects");
        refused(withWebId(key, "large#me"), "larger than");
        // The profile is about itself, not about the address that led to it.
        refused(withWebId(key, "once#me"), "does not name its issuer");
    }

    private static BoundToken withWebId(DpopKey key, String path) throws Exception {
        var token = issuer.sign(
                issuer.claims(key).claim("webid", issuer.url() + path).build());
        return presented(token, key.proof(TokenCorpus.METHOD, TokenCorpus.URL, token));
    }

    private static void refused(BoundToken presented, String why) {
        assertThatThrownBy(() -> tokens.authenticate(presented)).hasMessageContaining(why);
    }

    @Test
    void proofsWithoutATokensHashCanBeAllowed() throws Exception {
        try (var lenient =
                TestRelay.start(Map.of("bivouac.solid-allow", "127.0.0.0/8,::1", "bivouac.solid.require-ath", false))) {
            var key = DpopKey.next();
            var token = issuer.sign(issuer.claims(key).build());
            var bound = lenient.bean(BoundTokens.class);
            bound.authenticate(presented(token, key.proof(TokenCorpus.METHOD, TokenCorpus.URL, null)));
            var other = key.proof(TokenCorpus.METHOD, TokenCorpus.URL, "other");
            assertThatThrownBy(() -> bound.authenticate(presented(token, other)))
                    .hasMessageContaining("ath is not the hash");
        }
    }
}
