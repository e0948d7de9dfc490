package io.bivouac.sessions.pod;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.annotation.Nullable;

/** What the relay logs in with at the Solid servers whose Pods it reads over the web. */
@ConfigurationProperties("bivouac.solid.client")
public class RelayCredentials {
    private @Nullable String issuer;
    private @Nullable String id;
    private @Nullable String secret;

    @Nullable public String getIssuer() {
        return issuer;
    }

    public void setIssuer(@Nullable String issuer) {
        this.issuer = issuer;
    }

    @Nullable public String getId() {
        return id;
    }

    public void setId(@Nullable String id) {
        this.id = id;
    }

    @Nullable public String getSecret() {
        return secret;
    }

    public void setSecret(@Nullable String secret) {
        this.secret = secret;
    }
}
