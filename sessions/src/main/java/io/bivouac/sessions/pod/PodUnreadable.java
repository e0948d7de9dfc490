package io.bivouac.sessions.pod;

/** The Pod is not to be read right now, so nobody can say what it allows. */
public class PodUnreadable extends Exception {
    PodUnreadable(String message) {
        super(message);
    }
}
