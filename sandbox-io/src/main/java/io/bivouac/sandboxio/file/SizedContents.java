package io.bivouac.sandboxio.file;

import java.nio.ByteBuffer;
import reactor.core.publisher.Flux;

/** Contents whose length is known before they come, so that a client knows how far it is, and when it was cut off. */
public record SizedContents(Flux<ByteBuffer> contents, long length) {}
