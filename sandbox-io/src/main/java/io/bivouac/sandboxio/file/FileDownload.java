package io.bivouac.sandboxio.file;

import io.micronaut.core.annotation.Nullable;
import java.nio.ByteBuffer;
import reactor.core.publisher.Flux;

/**
 * Contents that can be read once, at the reader's own pace.
 *
 * @param entry what they are of
 * @param contents null when the reader has this version already
 */
public record FileDownload(FileEntry entry, @Nullable Flux<ByteBuffer> contents) {}
