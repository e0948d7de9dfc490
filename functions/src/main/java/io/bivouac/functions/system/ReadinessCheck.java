package io.bivouac.functions.system;

/** Asks one part whether it is there. */
interface ReadinessCheck {
    String part();

    /** Throws, with a sentence for a person, when it is not. */
    void check() throws Exception;
}
