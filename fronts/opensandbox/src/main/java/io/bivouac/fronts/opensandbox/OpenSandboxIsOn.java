package io.bivouac.fronts.opensandbox;

import io.bivouac.http.FrontIsOn;

/** Whether OpenSandbox's SDKs are served. */
public final class OpenSandboxIsOn extends FrontIsOn {
    public OpenSandboxIsOn() {
        super("opensandbox");
    }
}
