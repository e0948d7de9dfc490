package io.bivouac.identity;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.annotation.Nullable;
import java.time.Duration;

/** How those who come with a WebID are dealt with. */
@ConfigurationProperties("bivouac.solid")
public class SolidSettings {
    private @Nullable String project;
    private Duration profilesKept = Duration.ofMinutes(2);
    private Duration keysKept = Duration.ofMinutes(10);
    private boolean requireAth = true;
    private int refusalsAudited = 60;

    /** The project that their sessions belong to; the first one unless it says otherwise. */
    @Nullable public String getProject() {
        return project;
    }

    public void setProject(@Nullable String project) {
        this.project = project;
    }

    /** How long a profile's word about its issuers is taken without asking again. */
    public Duration getProfilesKept() {
        return profilesKept;
    }

    public void setProfilesKept(Duration profilesKept) {
        this.profilesKept = profilesKept;
    }

    /** The same for an issuer's keys; a key that is not among them is looked for sooner. */
    public Duration getKeysKept() {
        return keysKept;
    }

    public void setKeysKept(Duration keysKept) {
        this.keysKept = keysKept;
    }

    /** Whether a proof must name its token, as RFC 9449 has it; some clients still follow an older draft. */
    public boolean isRequireAth() {
        return requireAth;
    }

    public void setRequireAth(boolean requireAth) {
        this.requireAth = requireAth;
    }

    /** Refused logins a minute that get a row of the audit; the others are counted in the next row. */
    public int getRefusalsAudited() {
        return refusalsAudited;
    }

    public void setRefusalsAudited(int refusalsAudited) {
        this.refusalsAudited = refusalsAudited;
    }
}
