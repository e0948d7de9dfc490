package io.bivouac.sandboxmodel.error;

/**
 * Every error a client can see: its number, its name and its HTTP status. Docs, OpenAPI and the SDKs' typed
 * errors are made from this table; numbers are never reused.
 */
public enum ErrorCode {
    UNAUTHORIZED(1001, 401, "The key or token is missing or not valid."),
    FORBIDDEN(1002, 403, "The caller may not do this."),
    INVALID_REQUEST(1003, 400, "Invalid request."),
    CONFLICT(1004, 409, "The request contradicts the present state, or another change won."),
    TOO_LARGE(1005, 413, "The body is larger than the limit."),
    NOT_FOUND(1006, 404, "There is nothing at this address."),
    METHOD_NOT_ALLOWED(1007, 405, "This address does not take this method."),
    UNSUPPORTED_MEDIA_TYPE(1008, 415, "The body is not of a type this address reads."),
    NOT_ACCEPTABLE(1009, 406, "The answer cannot be given in a type that the caller accepts."),
    SANDBOX_NOT_FOUND(2001, 404, "There is no such sandbox."),
    TEMPLATE_NOT_FOUND(2002, 404, "There is no such template."),
    SANDBOX_LIMIT_EXCEEDED(2003, 429, "The project has as many sandboxes as it may have."),
    SANDBOX_NOT_RUNNING(2004, 409, "The sandbox is not in a state that allows this."),
    SANDBOX_FAILED(2005, 500, "The sandbox could not be started; the detail says why."),
    WORKSPACE_NOT_FOUND(2006, 404, "There is no such kept workspace."),
    UNSUPPORTED_BY_RUNTIME(2007, 422, "The runtime that this sandbox uses cannot do this."),
    PROJECT_LIMIT_EXCEEDED(2008, 429, "The project has as much CPU, memory or disk as it may have."),
    INSUFFICIENT_STORAGE(2009, 507, "The host's free disk space is down to its reserve; nothing new is stored there."),
    TEMPLATE_NOT_BUILT(2010, 409, "The template has to be built first; the detail says how."),
    SANDBOX_PAUSED(2011, 409, "The sandbox is paused; it has to be resumed first."),
    PORT_UNREACHABLE(2101, 502, "No program answers on this port of the sandbox."),
    PORT_LIMIT_EXCEEDED(2102, 429, "The sandbox's ports have as many connections as they may."),
    FILE_NOT_FOUND(3001, 404, "There is no such file or folder."),
    FILE_EXISTS(3002, 409, "There is something at this path already."),
    NOT_A_FOLDER(3003, 409, "The path leads to, or through, something that is not a folder."),
    IS_A_FOLDER(3004, 409, "The path leads to a folder, where a file is needed."),
    FILE_NOT_PERMITTED(3005, 403, "The sandbox's own permissions do not allow this."),
    NO_SPACE(3006, 507, "The sandbox's disk is full."),
    TRANSFER_LIMIT_EXCEEDED(3007, 429, "The sandbox has as many file operations under way as it may."),
    PRECONDITION_FAILED(3008, 412, "The file is not as If-Match or If-None-Match expects it."),
    RANGE_NOT_SATISFIABLE(3009, 416, "The file has no such bytes, or the upload goes on at another one."),
    FOLDER_NOT_EMPTY(3010, 409, "The folder is not empty."),
    NOT_A_FILE(3011, 422, "The path leads to a device, pipe or socket."),
    INVALID_ARCHIVE(3012, 422, "The archive cannot be read, or has an entry outside of the folder."),
    FILE_FAILED(3013, 500, "The sandbox's kernel could not do this; the detail says why."),
    PROCESS_TIMEOUT(4001, 408, "The command took longer than its timeout and was ended."),
    COMMAND_FAILED(4002, 422, "The command could not be started."),
    COMMAND_NOT_FOUND(4003, 404, "There is no such command."),
    COMMAND_LIMIT_EXCEEDED(4004, 429, "The sandbox runs as many commands as it may."),
    CODE_SESSION_NOT_FOUND(4011, 404, "There is no such session of code."),
    CODE_RESULT_NOT_FOUND(4012, 404, "There is no such result, or it is no longer kept in this form."),
    CODE_LIMIT_EXCEEDED(4013, 429, "The sandbox has as many sessions or runs of code as it may."),
    LANGUAGE_NOT_AVAILABLE(4014, 422, "The sandbox's template has not what this language needs."),
    INTERPRETER_FAILED(4015, 422, "The interpreter of the language could not be started."),
    PTY_NOT_FOUND(4101, 404, "There is no such terminal."),
    PTY_LIMIT_EXCEEDED(4102, 429, "There are as many terminals as there may be."),
    SESSION_NOT_FOUND(4201, 404, "There is no such terminal session."),
    SESSION_EXPIRED(4202, 410, "The terminal session is over."),
    RESOURCE_LIMIT(4203, 429, "There are as many terminal sessions as there may be."),
    PTY_ERROR(4204, 500, "The terminal could not be made, or broke."),
    RECORDING_NOT_FOUND(4205, 404, "The terminal was not recorded."),
    PERMISSION_NOT_FOUND(4301, 404, "There is no such permission request."),
    PERMISSION_DECIDED(4302, 409, "The permission request has its answer already."),
    WEBHOOK_NOT_FOUND(5001, 404, "There is no such webhook endpoint."),
    DELIVERY_NOT_FOUND(5002, 404, "There is no such delivery, or it is no longer kept."),
    WEBHOOK_LIMIT_EXCEEDED(5003, 429, "The project has as many webhook endpoints as it may have."),
    WEBHOOK_ADDRESS_FORBIDDEN(5004, 400, "Webhooks may not be sent to this address."),
    INTERNAL_ERROR(9001, 500, "Something went wrong on our side."),
    RATE_LIMITED(9002, 429, "Too many requests; Retry-After says when to come back."),
    UNAVAILABLE(9003, 503, "A part that this needs is not there right now; try again."),
    SHARE_LIMIT_EXCEEDED(
            9004, 429, "The caller or its project has its share of this; Retry-After says when to try again.");

    private final int number;
    private final int httpStatus;
    private final String title;

    ErrorCode(int number, int httpStatus, String title) {
        this.number = number;
        this.httpStatus = httpStatus;
        this.title = title;
    }

    public int number() {
        return number;
    }

    public int httpStatus() {
        return httpStatus;
    }

    public String title() {
        return title;
    }
}
