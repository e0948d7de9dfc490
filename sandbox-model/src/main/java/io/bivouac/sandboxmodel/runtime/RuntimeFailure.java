package io.bivouac.sandboxmodel.runtime;

/** A runtime could not do what it was asked; the message is a sentence for a person. */
public class RuntimeFailure extends RuntimeException {
    public RuntimeFailure(String message) {
        super(message);
    }

    public RuntimeFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
