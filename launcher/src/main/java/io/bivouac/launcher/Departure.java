package io.bivouac.launcher;

import io.bivouac.http.health.ReadinessCheck;
import io.bivouac.sandboxes.lifecycle.HostSign;
import io.bivouac.terminalrelay.terminal.Attachments;
import jakarta.inject.Singleton;

/**
 * The first step of a stop: nothing more is sent here, nothing more is placed here, and clients of terminals hear that
 * they are to connect elsewhere. Terminals go on in their sandboxes.
 */
@Singleton
class Departure implements ReadinessCheck {
    private final Attachments attachments;
    private final HostSign host;
    private volatile boolean leaving;

    Departure(Attachments attachments, HostSign host) {
        this.attachments = attachments;
        this.host = host;
    }

    @Override
    public String part() {
        return "departure";
    }

    @Override
    public void check() {
        if (leaving) {
            throw new IllegalStateException("The server is stopping.");
        }
    }

    void begin() {
        leaving = true;
        host.leave();
        attachments.dismissAll();
    }
}
