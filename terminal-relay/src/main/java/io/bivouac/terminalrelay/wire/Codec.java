package io.bivouac.terminalrelay.wire;

import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.util.List;

/** How one client's frames spell messages. One codec for each client; not thread-safe. */
public interface Codec {
    FromClient read(byte[] frame) throws BadFrame;

    /** The frames that say this, none when the door has no word for it. */
    List<WebSocketFrame> write(ToClient message);

    /** Whether its clients number what they type and can come back to where they were. */
    default boolean isResumable() {
        return false;
    }
}
