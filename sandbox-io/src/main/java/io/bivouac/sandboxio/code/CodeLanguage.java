package io.bivouac.sandboxio.code;

import io.bivouac.sandboxmodel.error.BivouacException;
import io.micronaut.core.annotation.Nullable;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The languages that code is written in. */
public enum CodeLanguage {
    PYTHON,
    JAVA,
    JAVASCRIPT,
    TYPESCRIPT,
    GO,
    BASH;

    private static final String NAMES =
            Arrays.stream(values()).map(CodeLanguage::wireName).collect(Collectors.joining(", "));

    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static CodeLanguage parse(@Nullable String name) {
        return Arrays.stream(values())
                .filter(language -> language.wireName().equals(name))
                .findFirst()
                .orElseThrow(() -> BivouacException.invalidRequest(
                        name == null
                                ? "language is missing; it is one of " + NAMES + "."
                                : "language must be one of " + NAMES + ", but is \"" + name + "\"."));
    }
}
