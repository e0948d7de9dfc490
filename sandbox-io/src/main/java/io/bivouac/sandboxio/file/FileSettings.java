package io.bivouac.sandboxio.file;

import io.micronaut.context.annotation.ConfigurationProperties;
import java.time.Duration;

/** How many transfers a sandbox may have, and what links and watches are given. */
@ConfigurationProperties("bivouac.files")
public class FileSettings {
    private int transfers = 16;
    private int watches = 16;
    private Duration longestLink = Duration.ofDays(7);
    private Duration pingEvery = Duration.ofSeconds(15);

    /** Uploads, downloads and archives of one sandbox at a time, in one server. */
    public int getTransfers() {
        return transfers;
    }

    public void setTransfers(int transfers) {
        this.transfers = transfers;
    }

    /** Watches of one sandbox at a time, in one server; an agent has at most 16. */
    public int getWatches() {
        return watches;
    }

    public void setWatches(int watches) {
        this.watches = watches;
    }

    /** The longest that a signed link works. */
    public Duration getLongestLink() {
        return longestLink;
    }

    public void setLongestLink(Duration longestLink) {
        this.longestLink = longestLink;
    }

    /** How often a quiet watch shows that it is alive. */
    public Duration getPingEvery() {
        return pingEvery;
    }

    public void setPingEvery(Duration pingEvery) {
        this.pingEvery = pingEvery;
    }
}
