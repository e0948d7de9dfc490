package io.bivouac.sandboxmodel.error;

import java.util.Map;

/** A refusal that a client sees as it is: a row of the table, and a sentence about this case. */
public class BivouacException extends RuntimeException {
    private final ErrorCode code;
    private final transient Map<String, Object> details;
    private boolean writtenDown;

    public BivouacException(ErrorCode code, String detail) {
        this(code, detail, Map.of());
    }

    public BivouacException(ErrorCode code, String detail, Map<String, Object> details) {
        super(detail);
        this.code = code;
        this.details = Map.copyOf(details);
    }

    public BivouacException(ErrorCode code, String detail, Throwable cause) {
        super(detail, cause);
        this.code = code;
        this.details = Map.of();
    }

    /** A request that cannot be meant as it is written. */
    public static BivouacException invalidRequest(String detail) {
        return new BivouacException(ErrorCode.INVALID_REQUEST, detail);
    }

    public ErrorCode code() {
        return code;
    }

    /** The same one, of which the audit has a row already. */
    public BivouacException writtenDown() {
        writtenDown = true;
        return this;
    }

    public boolean isWrittenDown() {
        return writtenDown;
    }

    /** Facts for programs, beside the sentence for people. */
    public Map<String, Object> details() {
        return details;
    }
}
