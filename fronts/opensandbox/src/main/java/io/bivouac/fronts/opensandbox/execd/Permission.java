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

    private @Nullable String names() {
        boolean hasOwner = owner != null && !owner.isEmpty();
        boolean hasGroup = group != null && !group.isEmpty();
        if (!hasOwner && hasGroup) {
            throw BivouacException.invalidRequest("group needs an owner beside it.");
        }
        return hasOwner ? owner + (hasGroup ? ":" + group : "") : null;
    }

    /** Gives these to a file. Only root may give a file away. */
    Mono<FileEntry> give(Files files, FileUse use, String path) {
        var names = names();
        return names == null
                ? files.change(use, path, bits(), null)
                : files.change(new FileUse(use.sandbox(), use.caller(), "root"), path, bits(), names);
    }
}
