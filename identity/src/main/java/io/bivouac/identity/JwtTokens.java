package io.bivouac.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import io.bivouac.foundation.access.BearerTokens;
import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Login;
import io.bivouac.foundation.access.Projects;
import io.bivouac.foundation.access.Role;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import jakarta.inject.Singleton;
import java.net.MalformedURLException;
import java.net.URI;
import java.text.ParseException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Takes JWTs of the configured issuers. Thread-safe. */
@Singleton
class JwtTokens implements BearerTokens {
    private static final int LONGEST = 16 * 1024;
    private static final int LARGEST_KEY_SET = 256 * 1024;
    private static final int FETCH_MILLIS = 2_000;

    /** Public-key signatures only: a shared secret would let whoever checks tokens make them. */
    private static final Set<JWSAlgorithm> ALGORITHMS = Set.of(
            JWSAlgorithm.RS256,
            JWSAlgorithm.RS384,
            JWSAlgorithm.RS512,
            JWSAlgorithm.PS256,
            JWSAlgorithm.ES256,
            JWSAlgorithm.ES384,
            JWSAlgorithm.Ed25519,
            JWSAlgorithm.EdDSA);

    private final Map<String, Trusted> issuers = new HashMap<>();
    private final Projects projects;

    private record Trusted(JwtIssuer settings, DefaultJWTProcessor<SecurityContext> processor) {}

    JwtTokens(List<JwtIssuer> configured, Projects projects) {
        this.projects = projects;
        for (var issuer : configured) {
            if (issuer.getIssuer() == null || issuer.getJwks() == null) {
                throw new IllegalArgumentException(
                        "bivouac.jwt." + issuer.getName() + " needs both an issuer and the address of its jwks");
            }
            issuers.put(issuer.getIssuer(), new Trusted(issuer, processor(issuer)));
        }
    }

    private static DefaultJWTProcessor<SecurityContext> processor(JwtIssuer issuer) {
        try {
            var retriever = new DefaultResourceRetriever(FETCH_MILLIS, FETCH_MILLIS, LARGEST_KEY_SET);
            var keys = JWKSourceBuilder.create(URI.create(issuer.getJwks()).toURL(), retriever)
                    .retrying(true)
                    .build();
            var processor = new DefaultJWTProcessor<SecurityContext>();
            processor.setJWSKeySelector(new JWSVerificationKeySelector<>(ALGORITHMS, keys));
            processor.setJWTClaimsSetVerifier(new DefaultJWTClaimsVerifier<>(
                    issuer.getAudience(),
                    new JWTClaimsSet.Builder().issuer(issuer.getIssuer()).build(),
                    Set.of("sub", "exp")));
            return processor;
        } catch (MalformedURLException malformed) {
            throw new IllegalArgumentException("bivouac.jwt." + issuer.getName() + ".jwks is no address", malformed);
        }
    }

    @Override
    public Optional<Caller> authenticate(String token) {
        if (issuers.isEmpty()
                || token.length() > LONGEST
                || token.chars().filter(dot -> dot == '.').count() != 2) {
            return Optional.empty();
        }
        try {
            var signed = SignedJWT.parse(token);
            // Only chooses whose keys to check with; the signature then proves it.
            var trusted = issuers.get(signed.getJWTClaimsSet().getIssuer());
            if (trusted == null) {
                return Optional.empty();
            }
            return Optional.of(caller(trusted.processor().process(signed, null), trusted.settings()));
        } catch (KeySourceException away) {
            throw new BivouacException(ErrorCode.UNAVAILABLE, "The token's issuer cannot be reached right now.");
        } catch (ParseException | BadJOSEException | JOSEException invalid) {
            throw new BivouacException(ErrorCode.UNAUTHORIZED, "The token is not valid: " + invalid.getMessage());
        }
    }

    private Caller caller(JWTClaimsSet claims, JwtIssuer issuer) throws ParseException {
        // RFC 9449 §7.2: whoever stole it could use it here without the key.
        if (claims.getClaim("cnf") != null) {
            throw new BivouacException(
                    ErrorCode.UNAUTHORIZED, "The token is bound to a key and cannot be used without a proof of it.");
        }
        var project = claims.getStringClaim(issuer.getProjectClaim());
        if (project == null || !projects.exists(project)) {
            throw new BivouacException(
                    ErrorCode.FORBIDDEN,
                    "The token's claim " + issuer.getProjectClaim() + " names no project of ours.");
        }
        var role = Optional.ofNullable(claims.getStringClaim(issuer.getRoleClaim()))
                .map(name -> Role.ofWireName(name)
                        .orElseThrow(() -> new BivouacException(ErrorCode.FORBIDDEN, "The token's role is unknown.")))
                .orElse(Role.VIEWER);
        var end = claims.getExpirationTime()
                .toInstant()
                .plusSeconds(DefaultJWTClaimsVerifier.DEFAULT_MAX_CLOCK_SKEW_SECONDS);
        return new Caller(issuer.getName() + ":" + claims.getSubject(), project, role, false, Login.byToken(end));
    }
}
