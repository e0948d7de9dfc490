package io.bivouac.identity;

import io.micronaut.context.annotation.EachProperty;
import io.micronaut.context.annotation.Parameter;
import io.micronaut.core.annotation.Nullable;

/** An issuer whose tokens are taken, and what they are good for here. */
@EachProperty("bivouac.jwt")
public class JwtIssuer {
    private final String name;
    private @Nullable String issuer;
    private @Nullable String jwks;
    private String audience = "bivouac";
    private String projectClaim = "project";
    private String roleClaim = "role";

    public JwtIssuer(@Parameter String name) {
        this.name = name;
    }

    public String getName() {
        return name;
    }

    /** As the tokens' {@code iss} spells it. */
    @Nullable public String getIssuer() {
        return issuer;
    }

    public void setIssuer(@Nullable String issuer) {
        this.issuer = issuer;
    }

    /** Where its public keys are. */
    @Nullable public String getJwks() {
        return jwks;
    }

    public void setJwks(@Nullable String jwks) {
        this.jwks = jwks;
    }

    /** What the tokens' {@code aud} must name. */
    public String getAudience() {
        return audience;
    }

    public void setAudience(String audience) {
        this.audience = audience;
    }

    /** Which claim names the project. */
    public String getProjectClaim() {
        return projectClaim;
    }

    public void setProjectClaim(String projectClaim) {
        this.projectClaim = projectClaim;
    }

    /** Which claim names the role; a token without it only looks. */
    public String getRoleClaim() {
        return roleClaim;
    }

    public void setRoleClaim(String roleClaim) {
        this.roleClaim = roleClaim;
    }
}
