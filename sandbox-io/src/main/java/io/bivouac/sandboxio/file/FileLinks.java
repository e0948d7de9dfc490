package io.bivouac.sandboxio.file;

import io.bivouac.foundation.access.ApiKeys;
import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Projects;
import io.bivouac.foundation.audit.Refusals;
import io.bivouac.foundation.audit.RefusedActor;
import io.bivouac.sandboxes.token.SandboxTokens;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Instant;

/**
 * Links that open one path for one method until a time, with the rights of the key that made them. A link is signed, so
 * nothing is stored and any server can check one; it ends with its time, or when its key is revoked. Thread-safe.
 */
@Singleton
class FileLinks {
    private final SandboxTokens tokens;
    private final ApiKeys keys;
    private final Projects projects;
    private final Refusals refusals;
    private final Clock clock;

    FileLinks(SandboxTokens tokens, ApiKeys keys, Projects projects, Refusals refusals, Clock clock) {
        this.tokens = tokens;
        this.keys = keys;
        this.projects = projects;
        this.refusals = refusals;
        this.clock = clock;
    }

    /**
     * What a link says.
     *
     * @param expires seconds since 1970
     * @param by the key that made it
     */
    record Claim(String method, String path, long expires, String by) {
        /** The length goes first, so that no two claims are signed as the same text. */
        private String text() {
            return method + "/" + expires + "/" + by + "/" + path.length() + "/" + path;
        }
    }

    String sign(SandboxId sandbox, Claim claim) {
        if (keys.holder(claim.by()).isEmpty()) {
            throw new BivouacException(ErrorCode.FORBIDDEN, "Only an API key makes links.");
        }
        return tokens.fileLinkToken(sandbox, claim.text());
    }

    Instant now() {
        return clock.instant();
    }

    /** In whose name a link works; asks the database. */
    Caller redeem(SandboxId sandbox, Claim claim, String signature) {
        if (!tokens.isFileLinkToken(sandbox, claim.text(), signature)) {
            throw refused(sandbox, claim, "This link was not made here, or was changed.");
        }
        if (claim.expires() <= clock.instant().getEpochSecond()) {
            throw refused(
                    sandbox,
                    claim,
                    "This link expired at " + Instant.ofEpochSecond(claim.expires()) + "; ask for a new one.");
        }
        return keys.holder(claim.by())
                .orElseThrow(() -> refused(sandbox, claim, "The key that made this link was revoked."));
    }

    private BivouacException refused(SandboxId sandbox, Claim claim, String why) {
        refusals.note(
                () -> keys.holder(claim.by())
                        .map(Caller::project)
                        .orElseGet(() -> projects.oldest().id()),
                RefusedActor.nobody(),
                "file.refused",
                sandbox.value(),
                "link to " + claim.method() + " " + claim.path() + ": " + why);
        return new BivouacException(ErrorCode.FORBIDDEN, why).writtenDown();
    }
}
