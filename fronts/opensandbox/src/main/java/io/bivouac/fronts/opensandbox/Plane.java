package io.bivouac.fronts.opensandbox;

import io.bivouac.sandboxmodel.SandboxId;

/** Where the SDKs find what they expect inside of a sandbox: each service has a port there, and a path here. */
public final class Plane {
    /** Commands, files and metrics. */
    public static final int EXECD_PORT = 44772;

    /** The hosts that the sandbox may reach. */
    public static final int EGRESS_PORT = 18080;

    public static final String EXECD = "/v1/sandboxes/{id}/proxy/" + EXECD_PORT;
    public static final String EGRESS = "/v1/sandboxes/{id}/proxy/" + EGRESS_PORT;

    /** Carries the token of the one sandbox; the SDKs send no key there. */
    public static final String TOKEN = "X-EXECD-ACCESS-TOKEN";

    private static final String START = "/v1/sandboxes/";
    private static final String PROXY = "/proxy/";

    private Plane() {}

    public static boolean isServed(int port) {
        return port == EXECD_PORT || port == EGRESS_PORT;
    }

    public static String path(SandboxId id, int port) {
        return START + id + PROXY + port;
    }

    /** Whether a request is for the inside of a sandbox, where its token counts. */
    public static boolean isInside(String path) {
        int id = START.length();
        return path.startsWith(START) && path.indexOf('/', id) > 0 && path.startsWith(PROXY, path.indexOf('/', id));
    }
}
