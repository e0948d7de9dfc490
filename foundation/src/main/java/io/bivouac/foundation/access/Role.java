package io.bivouac.foundation.access;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a key may do within its project; each role includes the ones after it. */
public enum Role {
    /** Keys and the audit too. */
    ADMIN,
    /** Makes and uses sandboxes and webhooks. */
    DEVELOPER,
    /** Looks. */
    VIEWER,
    /** Somebody from elsewhere, with nothing but what the ACL of a Pod grants them; no key has this role. */
    GUEST;

    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    public boolean includes(Role other) {
        return compareTo(other) <= 0;
    }

    /** One of the roles that can be given to somebody. */
    public static Optional<Role> ofWireName(String name) {
        return Arrays.stream(values())
                .filter(role -> role != GUEST && role.wireName().equals(name))
                .findFirst();
    }

    static Role ofStored(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }
}
