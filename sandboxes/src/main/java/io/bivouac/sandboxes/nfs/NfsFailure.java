package io.bivouac.sandboxes.nfs;

/** Something about NFS that did not work, as a sentence for a person. */
class NfsFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NfsFailure(String message) {
        super(message);
    }

    NfsFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
