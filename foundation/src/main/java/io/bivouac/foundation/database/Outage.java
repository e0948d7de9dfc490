package io.bivouac.foundation.database;

import org.slf4j.Logger;

/** Logs the beginning and the end of something being away, not every try in between. One thread uses it. */
public final class Outage {
    private final Logger log;
    private final String away;
    private final String back;
    private boolean underWay;

    /** The sentences for its beginning and its end, without a full stop. */
    public Outage(Logger log, String away, String back) {
        this.log = log;
        this.away = away;
        this.back = back;
    }

    public void failed(Exception failure) {
        if (underWay) {
            log.debug("{}: {}", away, failure.getMessage());
        } else {
            log.warn("{}; trying again until it works: {}", away, failure.getMessage());
            underWay = true;
        }
    }

    public void works() {
        if (underWay) {
            log.warn("{}", back);
            underWay = false;
        }
    }
}
