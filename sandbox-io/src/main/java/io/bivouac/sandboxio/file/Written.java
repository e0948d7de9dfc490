package io.bivouac.sandboxio.file;

import io.micronaut.core.annotation.Nullable;

/**
 * What has become of an upload.
 *
 * @param entry the file; null while parts of it are missing
 * @param received how much of an upload in parts has come
 */
public record Written(@Nullable FileEntry entry, boolean created, long received) {}
