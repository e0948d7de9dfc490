package io.bivouac.http;

import io.bivouac.foundation.share.Bounds;
import io.micronaut.context.annotation.ConfigurationProperties;
import jakarta.validation.constraints.Positive;

/** How many requests may be in a function at once; one that merely sends or is sent a stream is in none. */
@ConfigurationProperties("bivouac.requests")
public class RequestSettings {
    private int most = 512;
    private int perProject = 384;
    private int perCaller = 256;

    /** In all, in this process; each holds a thread. */
    @Positive public int getMost() {
        return most;
    }

    public void setMost(int most) {
        this.most = most;
    }

    @Positive public int getPerProject() {
        return perProject;
    }

    public void setPerProject(int perProject) {
        this.perProject = perProject;
    }

    /** Of one key, token or guest. */
    @Positive public int getPerCaller() {
        return perCaller;
    }

    public void setPerCaller(int perCaller) {
        this.perCaller = perCaller;
    }

    Bounds bounds() {
        return new Bounds(most, perProject, perCaller);
    }
}
