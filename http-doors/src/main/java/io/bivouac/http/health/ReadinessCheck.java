package io.bivouac.http.health;

import java.util.Optional;

/** Asks one part whether it is there. */
public interface ReadinessCheck {
    String part();

    /** Throws, with a sentence for a person, when it is not. */
    void check() throws Exception;

    /** What an operator should know although it works, as a sentence. */
    default Optional<String> note() {
        return Optional.empty();
    }
}
