package io.bivouac.agentlink.testing;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;

/** An issuer whose keys a test holds, so that it can sign what no real issuer would; its profiles are beside it. */
public final class SolidIssuer implements AutoCloseable {
    private final HttpServer server;
    private final ECKey key;

    private SolidIssuer(HttpServer server, ECKey key) {
        this.server = server;
        this.key = key;
    }

    public static SolidIssuer start() throws IOException, JOSEException {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        var issuer = new SolidIssuer(
                server,
                new ECKeyGenerator(Curve.P_256)
                        .keyID("one")
                        .algorithm(JWSAlgorithm.ES256)
                        .generate());
        issuer.serve(
                "/.well-known/openid-configuration",
                "application/json",
                "{\"issuer\":\"%s\",\"jwks_uri\":\"%sjwks\"}".formatted(issuer.url(), issuer.url()));
        issuer.serve("/jwks", "application/json", new JWKSet(issuer.key.toPublicJWK()).toString());
        issuer.serve("/profile", "text/turtle", issuer.profile(issuer.url()));
        server.start();
        return issuer;
    }

    public String profile(String... issuers) {
        return "<#me> <http://www.w3.org/ns/solid/terms#oidcIssuer> "
                + String.join(
                        ", ",
                        List.of(issuers).stream().map(url -> "<" + url + ">").toList()) + " .";
    }

    public void serve(String path, String type, String body) {
        var bytes = body.getBytes(StandardCharsets.UTF_8);
        server.createContext(path, exchange -> {
            exchange.getResponseHeaders().add("Content-Type", type);
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
    }

    public void redirect(String path, String target) {
        server.createContext(path, exchange -> {
            exchange.getResponseHeaders().add("Location", target);
            exchange.sendResponseHeaders(302, -1);
            exchange.close();
        });
    }

    /** Ends with a slash, as issuers' names often do. */
    public String url() {
        return "http://localhost:" + server.getAddress().getPort() + "/";
    }

    public String webId() {
        return url() + "profile#me";
    }

    public ECKey key() {
        return key;
    }

    /** An access token that is right. */
    public JWTClaimsSet.Builder claims(DpopKey holder) throws JOSEException {
        var now = Instant.now();
        return new JWTClaimsSet.Builder()
                .issuer(url())
                .audience("solid")
                .claim("webid", webId())
                .claim("client_id", "https://app.example/id")
                .claim("cnf", Map.of("jkt", holder.thumbprint()))
                .issueTime(Date.from(now))
                .expirationTime(Date.from(now.plusSeconds(600)));
    }

    public JWSHeader.Builder header() {
        return new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("one");
    }

    public String sign(JWTClaimsSet claims) throws JOSEException {
        return sign(header().build(), claims, key);
    }

    public static String sign(JWSHeader header, JWTClaimsSet claims, ECKey key) throws JOSEException {
        var token = new SignedJWT(header, claims);
        token.sign(new ECDSASigner(key));
        return token.serialize();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
