package io.bivouac.embedded;

/** Says in plain words why PostgreSQL or Kafka could not be started, and what to do about it. */
public final class EmbeddedStackException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public EmbeddedStackException(String message) {
        super(message);
    }

    public EmbeddedStackException(String message, Throwable cause) {
        super(message, cause);
    }
}
