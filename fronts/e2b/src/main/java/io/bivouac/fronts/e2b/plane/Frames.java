package io.bivouac.fronts.e2b.plane;

import io.netty.buffer.ByteBuf;
import reactor.core.publisher.Flux;

/** The envelopes of a stream; a type of its own, since the framework takes a Flux with a JSON type for an array. */
record Frames(Flux<ByteBuf> envelopes) {}
