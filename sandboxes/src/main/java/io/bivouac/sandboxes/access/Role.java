package io.bivouac.sandboxes.access;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a key may do within its project; each role includes the ones after it. */
public enum Role {
    /** Keys, webhooks and audit too. */
    ADMIN,
    /** Makes and uses sandboxes. */
    DEVELOPER,
    /** Looks. */
    VIEWER;

    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    public boolean includes(Role other) {
        return compareTo(other) <= 0;
    }

    public static Optional<Role> ofWireName(String name) {
        return Arrays.stream(values())
                .filter(role -> role.wireName().equals(name))
                .findFirst();
    }
}
