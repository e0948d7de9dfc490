package io.bivouac.http.health;

/** Asks one part whether it is there. */
public interface ReadinessCheck {
    String part();

    /** Throws, with a sentence for a person, when it is not. */
    void check() throws Exception;
}
