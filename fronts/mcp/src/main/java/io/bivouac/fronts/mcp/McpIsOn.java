package io.bivouac.fronts.mcp;

import io.bivouac.http.FrontIsOn;

/** Whether AI assistants are served over HTTP. */
public final class McpIsOn extends FrontIsOn {
    public McpIsOn() {
        super("mcp");
    }
}
