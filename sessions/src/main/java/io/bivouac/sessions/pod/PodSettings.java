package io.bivouac.sessions.pod;

import io.micronaut.context.annotation.ConfigurationProperties;
import java.time.Duration;

/** How sessions that a Pod granted are watched. */
@ConfigurationProperties("bivouac.pod")
public class PodSettings {
    private Duration askEvery = Duration.ofSeconds(15);
    private Duration unreadable = Duration.ofSeconds(60);

    /** How often ACLs are asked whether running sessions are still granted. */
    public Duration getAskEvery() {
        return askEvery;
    }

    public void setAskEvery(Duration askEvery) {
        this.askEvery = askEvery;
    }

    /** A session whose ACL could not be read for so long is ended. */
    public Duration getUnreadable() {
        return unreadable;
    }

    public void setUnreadable(Duration unreadable) {
        this.unreadable = unreadable;
    }
}
