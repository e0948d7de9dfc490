package io.bivouac.foundation.share;

/** A place in a pool, given back when closed; closing it again does nothing. */
public interface Place extends AutoCloseable {
    @Override
    void close();
}
