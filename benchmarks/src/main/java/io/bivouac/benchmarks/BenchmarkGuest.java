package io.bivouac.benchmarks;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.UUID;

/** Somebody with a WebID, with their issuer and profile on this machine; signs with the JDK alone. */
final class BenchmarkGuest implements AutoCloseable {
    private static final String ALGORITHM = "SHA256withECDSAinP1363Format";
    private static final int COORDINATE_BYTES = 32;
    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

    private final HttpServer server;
    private final KeyPair issuer;
    private final KeyPair holder;

    BenchmarkGuest() throws IOException, GeneralSecurityException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
        var generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        issuer = generator.generateKeyPair();
        holder = generator.generateKeyPair();
        serve(
                "/.well-known/openid-configuration",
                "application/json",
                "{\"issuer\":\"%s\",\"jwks_uri\":\"%s/jwks\"}".formatted(url(), url()));
        serve("/jwks", "application/json", "{\"keys\":[" + publicKey(issuer, ",\"kid\":\"one\"") + "]}");
        serve("/profile", "text/turtle", "<#me> <http://www.w3.org/ns/solid/terms#oidcIssuer> <" + url() + "> .");
        server.start();
    }

    private void serve(String path, String type, String body) {
        var bytes = body.getBytes(StandardCharsets.UTF_8);
        server.createContext(path, exchange -> {
            exchange.getResponseHeaders().add("Content-Type", type);
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    String webId() {
        return url() + "/profile#me";
    }

    /** An access token for ten minutes. */
    String token() throws GeneralSecurityException {
        long now = Instant.now().getEpochSecond();
        return signed(
                "{\"alg\":\"ES256\",\"kid\":\"one\"}",
                """
                {"iss":"%s","aud":"solid","webid":"%s","client_id":"https://app.example/id","iat":%d,"exp":%d,\
                "cnf":{"jkt":"%s"}}""".formatted(url(), webId(), now, now + 600, thumbprint()),
                issuer);
    }

    /** The head of a request with a proof of its own. */
    String login(String method, String url, String token) throws GeneralSecurityException {
        return "Authorization: DPoP " + token + "\r\nDPoP: " + proof(method, url, token) + "\r\n";
    }

    String proof(String method, String url, String token) throws GeneralSecurityException {
        return signed(
                "{\"alg\":\"ES256\",\"typ\":\"dpop+jwt\",\"jwk\":" + publicKey(holder, "") + "}",
                "{\"htm\":\"%s\",\"htu\":\"%s\",\"jti\":\"%s\",\"iat\":%d,\"ath\":\"%s\"}"
                        .formatted(method, url, UUID.randomUUID(), Instant.now().getEpochSecond(), hash(token)),
                holder);
    }

    /** How often the JDK checks a signature of this kind, on one thread. */
    double signaturesPerSecond(int count) throws GeneralSecurityException {
        var text = "signed".getBytes(StandardCharsets.US_ASCII);
        var signature = Signature.getInstance(ALGORITHM);
        signature.initSign(holder.getPrivate());
        signature.update(text);
        var made = signature.sign();
        long begun = System.nanoTime();
        for (int i = 0; i < count; i++) {
            signature.initVerify(holder.getPublic());
            signature.update(text);
            if (!signature.verify(made)) {
                throw new IllegalStateException("a good signature was refused");
            }
        }
        return count * 1e9 / (System.nanoTime() - begun);
    }

    /** RFC 7638: the members in order, without spaces. */
    private String thumbprint() throws GeneralSecurityException {
        return hash(publicKey(holder, ""));
    }

    private static String publicKey(KeyPair pair, String more) {
        var point = ((ECPublicKey) pair.getPublic()).getW();
        return "{\"crv\":\"P-256\",\"kty\":\"EC\",\"x\":\"%s\",\"y\":\"%s\"%s}"
                .formatted(coordinate(point.getAffineX()), coordinate(point.getAffineY()), more);
    }

    private static String coordinate(BigInteger number) {
        var bytes = number.toByteArray();
        var fixed = new byte[COORDINATE_BYTES];
        var digits = Arrays.copyOfRange(bytes, Math.max(0, bytes.length - COORDINATE_BYTES), bytes.length);
        System.arraycopy(digits, 0, fixed, COORDINATE_BYTES - digits.length, digits.length);
        return BASE64.encodeToString(fixed);
    }

    private static String hash(String text) throws GeneralSecurityException {
        return BASE64.encodeToString(
                MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static String signed(String header, String claims, KeyPair by) throws GeneralSecurityException {
        var text = BASE64.encodeToString(header.getBytes(StandardCharsets.UTF_8)) + "."
                + BASE64.encodeToString(claims.getBytes(StandardCharsets.UTF_8));
        var signature = Signature.getInstance(ALGORITHM);
        signature.initSign(by.getPrivate());
        signature.update(text.getBytes(StandardCharsets.US_ASCII));
        return text + "." + BASE64.encodeToString(signature.sign());
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
