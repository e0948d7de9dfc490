package io.bivouac.fronts.e2b;

import io.bivouac.http.FrontIsOn;

/** Whether E2B's SDKs are served. */
public final class E2bIsOn extends FrontIsOn {
    public E2bIsOn() {
        super("e2b");
    }
}
