package io.bivouac.sandboxes.template.build;

/** A build that ends without a template; the message says why, and what mends it. */
public final class BuildFailed extends RuntimeException {
    private static final long serialVersionUID = 1;

    public BuildFailed(String message) {
        super(message);
    }

    public BuildFailed(String message, Throwable cause) {
        super(message, cause);
    }
}
