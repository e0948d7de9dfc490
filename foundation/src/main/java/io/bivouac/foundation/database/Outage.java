package io.bivouac.foundation.database;

import org.slf4j.Logger;

/** Logs the beginning and the end of something being away, not every try in between. One thread uses it. */
public final class Outage {
    private final Logger log;
    private boolean underWay;

    public Outage(Logger log) {
        this.log = log;
    }

    public void failed(String sentence, Exception failure) {
        if (underWay) {
            log.debug("{}: {}", sentence, failure.getMessage());
        } else {
            log.warn("{}; trying again until it works: {}", sentence, failure.getMessage());
            underWay = true;
        }
    }

    public void works(String sentence) {
        if (underWay) {
            log.warn("{}", sentence);
            underWay = false;
        }
    }
}
