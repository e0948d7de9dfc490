package io.bivouac.sandboxes.access;

import io.bivouac.sandboxes.error.BivouacException;
import io.bivouac.sandboxes.error.ErrorCode;

/**
 * Who is asking, proven.
 *
 * @param id the key's id, as audit rows name it
 * @param system whether it may also manage the installation: projects, gc, system figures
 */
public record Caller(String id, String project, Role role, boolean system) {
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
