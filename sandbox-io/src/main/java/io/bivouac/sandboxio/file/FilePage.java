package io.bivouac.sandboxio.file;

import io.micronaut.core.annotation.Nullable;
import java.util.List;

/**
 * Entries of a folder in the order of their paths.
 *
 * @param next where the next page begins; null when this is the last
 */
public record FilePage(List<FileEntry> entries, @Nullable byte[] next) {}
