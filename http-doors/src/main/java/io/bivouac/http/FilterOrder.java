package io.bivouac.http;

import io.micronaut.core.order.Ordered;

/** The order in which filters see a request, of every module; the only place where it is written. */
public final class FilterOrder {
    /** Gives the request its id, so that every refusal after it carries one. */
    public static final int REQUEST_ID = Ordered.HIGHEST_PRECEDENCE + 100;

    /** Adds headers to every answer, refusals by the filters after it included. */
    static final int ANSWER_HEADERS = Ordered.HIGHEST_PRECEDENCE + 150;

    /** Puts refusals into the form of another platform, those by the filters after it included. */
    public static final int FRONT_ANSWERS = Ordered.HIGHEST_PRECEDENCE + 170;

    /** Refuses a Host header that is not this server's, before anything is done for the request. */
    public static final int HOST_HEADER = Ordered.HIGHEST_PRECEDENCE + 200;

    /** Refuses compressed bodies, which nobody has inflated yet. */
    public static final int CONTENT_ENCODING = Ordered.HIGHEST_PRECEDENCE + 220;

    /** Answers preflight requests, which carry no credentials. */
    public static final int CROSS_ORIGIN = Ordered.HIGHEST_PRECEDENCE + 250;

    /** Checks the page that opens a WebSocket, which browsers do not do. */
    public static final int SOCKET_ORIGIN = Ordered.HIGHEST_PRECEDENCE + 260;

    /** Turns the console's cookie into a login, and refuses it from other pages. */
    public static final int CONSOLE_LOGIN = Ordered.HIGHEST_PRECEDENCE + 290;

    /** Finds the caller and takes one from the caller's rate. */
    public static final int AUTHENTICATION = Ordered.HIGHEST_PRECEDENCE + 300;

    /** Finds the sandbox that a path names, among those of the caller's project. */
    static final int SANDBOX_NAME = Ordered.HIGHEST_PRECEDENCE + 350;

    /** Decides whether this caller may open this WebSocket, while a refusal can still be an HTTP status. */
    public static final int ADMISSION = Ordered.HIGHEST_PRECEDENCE + 400;

    /** Prepares the connection for the handler of frames, as the last step before the handshake. */
    public static final int UPGRADE = Ordered.LOWEST_PRECEDENCE;

    private FilterOrder() {}
}
