package io.bivouac.sessions.pod;

import io.micronaut.context.annotation.ConfigurationProperties;
import java.time.Duration;
import java.util.List;

/** What sessions that a Pod granted may have, and how they are watched. */
@ConfigurationProperties("bivouac.pod")
public class PodSettings {
    private Duration askEvery = Duration.ofSeconds(15);
    private Duration unreadable = Duration.ofSeconds(60);
    private List<String> templates = List.of();

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

    /** The templates that sandboxes for guests may be made from; any when it names none. */
    public List<String> getTemplates() {
        return templates;
    }

    public void setTemplates(List<String> templates) {
        this.templates = List.copyOf(templates);
    }
}
