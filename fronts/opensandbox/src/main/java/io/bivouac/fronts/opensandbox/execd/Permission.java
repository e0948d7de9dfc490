package io.bivouac.fronts.opensandbox.execd;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.bivouac.sandboxio.file.FileEntry;
import io.bivouac.sandboxio.file.FileUse;
import io.bivouac.sandboxio.file.Files;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.serde.annotation.Serdeable;
import reactor.core.publisher.Mono;

/**
 * Who may do what with a file.
 *
 * @param mode octal digits as a decimal number: 644
 */
@Serdeable
@JsonIgnoreProperties(ignoreUnknown = true)
record Permission(
        @Nullable Integer mode,
        @Nullable String owner,
        @Nullable String group) {
    private static final int OCTAL = 8;
    private static final int LARGEST = 7777;

    static int digits(int mode) {
        return Integer.parseInt(Integer.toString(mode, OCTAL));
    }

    /** Null where nothing is said, which zero stands for as well. */
    @Nullable Integer bits() {
        if (mode == null || mode == 0) {
            return null;
        }
        if (mode < 0 || mode > LARGEST || !Integer.toString(mode).matches("[0-7]+")) {
            throw BivouacException.invalidRequest("mode must be octal digits such as 644.");
        }
        return Integer.parseInt(Integer.toString(mode), OCTAL);
    }

    /** A sandbox takes a user with that one's own group, or both as numbers. */
    private @Nullable String names() {
        boolean hasOwner = owner != null && !owner.isEmpty();
        boolean hasGroup = group != null && !group.isEmpty();
        if (!hasGroup || group.equals(owner)) {
            return hasOwner ? owner : null;
        }
        if (!hasOwner || !(owner + group).matches("\\d+")) {
            throw BivouacException.invalidRequest(
                    "group must be that of the owner beside it, or both must be numbers.");
        }
        return owner + ":" + group;
    }

    /** Gives these to a file. Only root may give a file away. */
    Mono<FileEntry> give(Files files, FileUse use, String path) {
        var names = names();
        return names == null
                ? files.change(use, path, bits(), null)
                : files.change(new FileUse(use.sandbox(), use.caller(), "root"), path, bits(), names);
    }
}
