package io.bivouac.sandboxes.error;

import java.util.Map;

/** A refusal that a client sees as it is: a row of the table, and a sentence about this case. */
public class BivouacException extends RuntimeException {
    private final ErrorCode code;
    private final transient Map<String, Object> details;

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

    public ErrorCode code() {
        return code;
    }

    /** Facts for programs, beside the sentence for people. */
    public Map<String, Object> details() {
        return details;
    }
}
