package io.bivouac.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.foundation.access.BearerTokens;
import io.bivouac.foundation.access.Role;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class JwtTokensTest {
    private static final String ISSUER = "https://login.example";

    private static ECKey key;
    private static HttpServer issuer;
    private static TestRelay relay;
    private static BearerTokens tokens;

    @BeforeAll
    static void start() throws Exception {
        key = new ECKeyGenerator(Curve.P_256).keyID("one").generate();
        issuer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        issuer.createContext("/jwks", exchange -> {
            var body = new JWKSet(key.toPublicJWK()).toString().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        issuer.start();
        relay = TestRelay.start(Map.of(
                "bivouac.jwt.example.issuer",
                ISSUER,
                "bivouac.jwt.example.jwks",
                "http://127.0.0.1:" + issuer.getAddress().getPort() + "/jwks"));
        tokens = relay.bean(BearerTokens.class);
    }

    @AfterAll
    static void stop() {
        relay.close();
        issuer.stop(0);
    }

    private static JWTClaimsSet.Builder claims() {
        return new JWTClaimsSet.Builder()
                .issuer(ISSUER)
                .audience("bivouac")
                .subject("ada")
                .claim("project", relay.caller().project())
                .claim("role", "developer")
                .expirationTime(Date.from(Instant.now().plusSeconds(600)));
    }

    private static String token(UnaryOperator<JWTClaimsSet.Builder> change, ECKey signedBy) throws JOSEException {
        var token = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("one").build(),
                change.apply(claims()).build());
        token.sign(new ECDSASigner(signedBy));
        return token.serialize();
    }

    @Test
    void aTokenStandsForItsSubject() throws Exception {
        var caller = tokens.authenticate(token(claims -> claims, key)).orElseThrow();
        assertThat(caller.id()).isEqualTo("example:ada");
        assertThat(caller.project()).isEqualTo(relay.caller().project());
        assertThat(caller.role()).isEqualTo(Role.DEVELOPER);
        assertThat(caller.system()).isFalse();
        var plain = tokens.authenticate(token(claims -> claims.claim("role", null), key))
                .orElseThrow();
        assertThat(plain.role()).isEqualTo(Role.VIEWER);
    }

    @Test
    void whatIsNotRightIsRefused() throws Exception {
        var stranger = new ECKeyGenerator(Curve.P_256).keyID("one").generate();
        refused(token(claims -> claims, stranger), ErrorCode.UNAUTHORIZED);
        refused(
                token(claims -> claims.expirationTime(Date.from(Instant.now().minusSeconds(600))), key),
                ErrorCode.UNAUTHORIZED);
        refused(token(claims -> claims.expirationTime(null), key), ErrorCode.UNAUTHORIZED);
        refused(token(claims -> claims.audience("somebody-else"), key), ErrorCode.UNAUTHORIZED);
        refused(token(claims -> claims.subject(null), key), ErrorCode.UNAUTHORIZED);
        refused(token(claims -> claims.claim("project", "prj_unknown"), key), ErrorCode.FORBIDDEN);
        refused(token(claims -> claims.claim("role", "king"), key), ErrorCode.FORBIDDEN);
        refused(new PlainJWT(claims().build()).serialize(), ErrorCode.UNAUTHORIZED);
    }

    private static void refused(String token, ErrorCode code) {
        assertThatThrownBy(() -> tokens.authenticate(token))
                .isInstanceOfSatisfying(
                        BivouacException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(code));
    }

    @Test
    void whatIsNoTokenOfOursIsSomebodyElsesToJudge() throws Exception {
        assertThat(tokens.authenticate("bvk_some-key")).isEmpty();
        assertThat(tokens.authenticate(token(claims -> claims.issuer("https://elsewhere.example"), key)))
                .isEmpty();
    }
}
