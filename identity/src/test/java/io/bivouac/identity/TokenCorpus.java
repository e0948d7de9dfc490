package io.bivouac.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.Ed25519Signer;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.OctetKeyPairGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import io.bivouac.agentlink.testing.DpopKey;
import io.bivouac.agentlink.testing.SolidIssuer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Logins that are right, and logins that are wrong in one way each. */
final class TokenCorpus {
    static final String METHOD = "POST";
    static final String URL = "https://relay.example/-/terminal/sessions";

    private static final JOSEObjectType PROOF = new JOSEObjectType("dpop+jwt");

    /**
     * One login.
     *
     * @param ours whether we let it in
     * @param theirs whether the published verifier does
     */
    record Login(String name, String token, String proof, boolean ours, boolean theirs) {}

    private final SolidIssuer issuer;
    private final SolidIssuer stranger;
    private final DpopKey key = DpopKey.next();
    private final List<Login> logins = new ArrayList<>();

    private TokenCorpus(SolidIssuer issuer, SolidIssuer stranger) {
        this.issuer = issuer;
        this.stranger = stranger;
    }

    static List<Login> of(SolidIssuer issuer, SolidIssuer stranger) throws JOSEException {
        var corpus = new TokenCorpus(issuer, stranger);
        corpus.right();
        corpus.wrongTokens();
        corpus.wrongSignatures();
        corpus.wrongProofs();
        corpus.wrongProofKeys();
        return corpus.logins;
    }

    private void both(String name, boolean right, String token, String proof) {
        logins.add(new Login(name, token, proof, right, right));
    }

    private void weAreStricter(String name, String token, String proof) {
        logins.add(new Login(name, token, proof, false, true));
    }

    private void theyAreStricter(String name, String token, String proof) {
        logins.add(new Login(name, token, proof, true, false));
    }

    private String token() throws JOSEException {
        return token(claims -> claims);
    }

    private String token(UnaryOperator<JWTClaimsSet.Builder> change) throws JOSEException {
        return issuer.sign(change.apply(issuer.claims(key)).build());
    }

    private String proof(String token) {
        return key.proof(METHOD, URL, token);
    }

    private String proof(String token, UnaryOperator<JWTClaimsSet.Builder> change) {
        var claims = DpopKey.claims(METHOD, URL).claim("ath", DpopKey.hash(token));
        return key.sign(key.header().build(), change.apply(claims).build());
    }

    private static Date inSeconds(long seconds) {
        return Date.from(Instant.now().plusSeconds(seconds));
    }

    private void right() throws JOSEException {
        var token = token();
        both("an access token", true, token, proof(token));
        var idToken = token(claims -> claims.audience(List.of("https://app.example/id", "solid"))
                .claim("client_id", null)
                .claim("azp", "https://app.example/id"));
        both("an ID token", true, idToken, proof(idToken));
        withKey("a proof by ES384", new ECKeyGenerator(Curve.P_384).generate(), JWSAlgorithm.ES384, true, true);
        withKey(
                "a proof by RS256",
                new RSAKeyGenerator(2048).algorithm(JWSAlgorithm.RS256).generate(),
                JWSAlgorithm.RS256,
                true,
                true);
        withKey(
                "a proof by EdDSA",
                new OctetKeyPairGenerator(Curve.Ed25519).generate(),
                JWSAlgorithm.EdDSA,
                true,
                false);
        theyAreStricter(
                "htu with its port",
                token,
                proof(token, claims -> claims.claim("htu", "https://relay.example:443/-/terminal/sessions")));
        theyAreStricter(
                "htu in capitals",
                token,
                proof(token, claims -> claims.claim("htu", "HTTPS://RELAY.example/-/terminal/sessions")));
        theyAreStricter("htu with a query", token, proof(token, claims -> claims.claim("htu", URL + "?page=1")));
    }

    private void withKey(String name, JWK holder, JWSAlgorithm algorithm, boolean ours, boolean theirs)
            throws JOSEException {
        var thumbprint = holder.computeThumbprint().toString();
        var token = token(claims -> claims.claim("cnf", Map.of("jkt", thumbprint)));
        var header = new JWSHeader.Builder(algorithm)
                .type(PROOF)
                .jwk(holder.toPublicJWK())
                .build();
        var proof = new SignedJWT(
                header,
                DpopKey.claims(METHOD, URL).claim("ath", DpopKey.hash(token)).build());
        proof.sign(signer(holder));
        logins.add(new Login(name, token, proof.serialize(), ours, theirs));
    }

    private static JWSSigner signer(JWK key) throws JOSEException {
        return switch (key) {
            case com.nimbusds.jose.jwk.ECKey curve -> new ECDSASigner(curve);
            case com.nimbusds.jose.jwk.RSAKey rsa -> new RSASSASigner(rsa);
            case com.nimbusds.jose.jwk.OctetKeyPair pair -> new Ed25519Signer(pair);
            default -> throw new IllegalArgumentException(key.getKeyType().getValue());
        };
    }

    private void wrongTokens() throws JOSEException {
        wrongToken("expired", claims -> claims.expirationTime(inSeconds(-600)));
        wrongToken("no exp", claims -> claims.expirationTime(null));
        wrongToken("no iat", claims -> claims.issueTime(null));
        wrongToken("made in the future", claims -> claims.issueTime(inSeconds(600)));
        wrongToken("not valid yet", claims -> claims.notBeforeTime(inSeconds(600)));
        wrongToken("another audience", claims -> claims.audience("https://elsewhere.example"));
        wrongToken("no audience", claims -> claims.audience((String) null));
        wrongToken("no WebID", claims -> claims.claim("webid", null));
        wrongToken("a WebID that is no address", claims -> claims.claim("webid", "alice"));
        wrongToken("a WebID without a profile", claims -> claims.claim("webid", issuer.url() + "nobody#me"));
        wrongToken("a WebID whose profile is no Turtle", claims -> claims.claim("webid", issuer.url() + "jwks#me"));
        wrongToken("a WebID of another issuer", claims -> claims.claim("webid", stranger.webId()));
        wrongToken("a WebID beside the profile's", claims -> claims.claim("webid", issuer.url() + "profile#you"));
        wrongToken("bound to no key", claims -> claims.claim("cnf", null));
        wrongToken("bound to nothing", claims -> claims.claim("cnf", Map.of()));
        wrongToken(
                "bound to another key",
                claims -> claims.claim("cnf", Map.of("jkt", "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")));
        var justExpired = token(claims -> claims.expirationTime(inSeconds(-60)));
        weAreStricter("expired a minute ago", justExpired, proof(justExpired));
        var noClient = token(claims -> claims.claim("client_id", null));
        weAreStricter("no client", noClient, proof(noClient));
        var longToken = token(claims -> claims.claim("padding", "x".repeat(20_000)));
        weAreStricter("very long", longToken, proof(longToken));
    }

    private void wrongToken(String name, UnaryOperator<JWTClaimsSet.Builder> change) throws JOSEException {
        var token = token(change);
        both("token: " + name, false, token, proof(token));
    }

    private void wrongSignatures() throws JOSEException {
        var claims = issuer.claims(key).build();
        signed("by a stranger's key", SolidIssuer.sign(issuer.header().build(), claims, stranger.key()));
        signed(
                "by an unknown key",
                SolidIssuer.sign(issuer.header().keyID("two").build(), claims, issuer.key()));
        signed("by nobody", new PlainJWT(claims).serialize());
        signed(
                "with something critical",
                SolidIssuer.sign(
                        issuer.header()
                                .criticalParams(Set.of("exp"))
                                .customParam("exp", 1)
                                .build(),
                        claims,
                        issuer.key()));
        signed(
                "by a stranger for our WebID",
                stranger.sign(
                        stranger.claims(key).claim("webid", issuer.webId()).build()));
        var parts = token().split("\\.");
        var other = token(builder -> builder.claim("webid", stranger.webId())).split("\\.");
        signed("of other claims", parts[0] + "." + other[1] + "." + parts[2]);
        signed("cut off", parts[0] + "." + parts[1] + ".");
        signed("not there", parts[0] + "." + parts[1]);
        var shared = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("one").build(), claims);
        shared.sign(new MACSigner(issuer.key().toPublicJWK().toJSONString()));
        signed("by the public key as a shared secret", shared.serialize());
    }

    private void signed(String name, String token) {
        both("signature: " + name, false, token, proof(token));
    }

    private void wrongProofs() throws JOSEException {
        var token = token();
        wrongProof("another method", token, claims -> claims.claim("htm", "GET"));
        wrongProof("the method in small letters", token, claims -> claims.claim("htm", "post"));
        wrongProof("no method", token, claims -> claims.claim("htm", null));
        wrongProof("another path", token, claims -> claims.claim("htu", URL + "/other"));
        wrongProof("another host", token, claims -> claims.claim("htu", "https://evil.example/-/terminal/sessions"));
        wrongProof(
                "another port", token, claims -> claims.claim("htu", "https://relay.example:8443/-/terminal/sessions"));
        wrongProof("no encryption", token, claims -> claims.claim("htu", "http://relay.example/-/terminal/sessions"));
        wrongProof("no address", token, claims -> claims.claim("htu", "sessions"));
        wrongProof("no htu", token, claims -> claims.claim("htu", null));
        wrongProof("no jti", token, claims -> claims.jwtID(null));
        wrongProof("no iat", token, claims -> claims.issueTime(null));
        wrongProof("old", token, claims -> claims.issueTime(inSeconds(-300)));
        wrongProof("from the future", token, claims -> claims.issueTime(inSeconds(300)));
        wrongProof("for another token", token, claims -> claims.claim("ath", DpopKey.hash("other")));
        weAreStricter("proof: ninety seconds old", token, proof(token, claims -> claims.issueTime(inSeconds(-90))));
        weAreStricter("proof: a minute ahead", token, proof(token, claims -> claims.issueTime(inSeconds(60))));
        weAreStricter("proof: for no token", token, proof(token, claims -> claims.claim("ath", null)));
        both("proof: none", false, token, "");
        both("proof: two in one", false, token, proof(token) + ", " + proof(token));
        both("proof: no JWT", false, token, "proof");
        var once = proof(token);
        both("shown once", true, token, once);
        both("proof: shown again", false, token, once);
    }

    private void wrongProof(String name, String token, UnaryOperator<JWTClaimsSet.Builder> change) {
        both("proof: " + name, false, token, proof(token, change));
    }

    private void wrongProofKeys() throws JOSEException {
        var token = token();
        var claims =
                DpopKey.claims(METHOD, URL).claim("ath", DpopKey.hash(token)).build();
        both("proof: another's key", false, token, DpopKey.next().proof(METHOD, URL, token));
        both(
                "proof: signed by another key",
                false,
                token,
                DpopKey.next().sign(key.header().build(), claims));
        both("proof: no key", false, token, key.sign(key.header().jwk(null).build(), claims));
        both(
                "proof: another type",
                false,
                token,
                key.sign(key.header().type(JOSEObjectType.JWT).build(), claims));
        both("proof: no type", false, token, key.sign(key.header().type(null).build(), claims));
        both("proof: the token itself", false, token, token);
        both("proof: unsigned", false, token, new PlainJWT(claims).serialize());
        both("proof: its private key", false, token, withPrivateKey(claims));
        var secret = new com.nimbusds.jose.jwk.gen.OctetSequenceKeyGenerator(256).generate();
        both(
                "proof: a shared secret",
                false,
                token,
                rawHeader(
                        "{\"typ\":\"dpop+jwt\",\"alg\":\"HS256\",\"jwk\":" + secret.toJSONString() + "}",
                        claims,
                        new MACSigner(secret)));
    }

    /** The library does not put private keys into headers; an attacker's library may. */
    private String withPrivateKey(JWTClaimsSet claims) throws JOSEException {
        return rawHeader(
                "{\"typ\":\"dpop+jwt\",\"alg\":\"ES256\",\"jwk\":" + key.key().toJSONString() + "}",
                claims,
                new ECDSASigner(key.key()));
    }

    private static String rawHeader(String header, JWTClaimsSet claims, JWSSigner signer) throws JOSEException {
        var signed = com.nimbusds.jose.util.Base64URL.encode(header) + "."
                + com.nimbusds.jose.util.Base64URL.encode(claims.toString());
        var algorithm = header.contains("HS256") ? JWSAlgorithm.HS256 : JWSAlgorithm.ES256;
        var signature =
                signer.sign(new JWSHeader(algorithm), signed.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        return signed + "." + signature;
    }
}
