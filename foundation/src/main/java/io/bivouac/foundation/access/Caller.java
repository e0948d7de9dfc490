package io.bivouac.foundation.access;

import io.bivouac.foundation.audit.Refusals;
import io.bivouac.foundation.audit.RefusedActor;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;

/**
 * Who is asking, proven.
 *
 * @param id the key's id or the WebID, as audit rows name it
 * @param system whether it may also manage the installation: projects, gc, system figures
 */
public record Caller(String id, String project, Role role, boolean system, Login login) {
    /** Somebody who has shown an API key. */
    public Caller(String id, String project, Role role, boolean system) {
        this(id, project, role, system, Login.BY_KEY);
    }

    /** Who they are elsewhere, when they came with a WebID and this very request proves it. */
    public @Nullable Visitor visitor() {
        return login.visitor();
    }

    public boolean isGuest() {
        return role == Role.GUEST;
    }

    /** The same one with another role, for an act that was granted to them in another way. */
    public Caller as(Role other) {
        return new Caller(id, project, other, system, login);
    }

    /** Whose rows of the audit tell what is refused to them. */
    public RefusedActor refusedBy(Refusals refusals) {
        return isGuest() ? refusals.visitor(id) : RefusedActor.member(id, project);
    }

    public void mustBe(Role needed) {
        if (!role.includes(needed)) {
            throw new BivouacException(
                    ErrorCode.FORBIDDEN,
                    "This needs the role " + needed.wireName() + "; this key has " + role.wireName() + ".");
        }
    }

    public void mustBeSystem() {
        if (!system) {
            throw new BivouacException(ErrorCode.FORBIDDEN, "This needs a system administrator's key.");
        }
    }

    public void mustOwn(String owner, String what) {
        if (!project.equals(owner)) {
            throw new BivouacException(ErrorCode.FORBIDDEN, what + " belongs to another project.");
        }
    }
}
