package io.bivouac.sandboxes.nfs;

import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.runtime.HostFolder;

/** What exports folders. Failures are {@link NfsFailure}s. To be used by one thread at a time. */
interface NfsServer extends AutoCloseable {
    boolean isRunning();

    /**
     * Starts it without any export.
     *
     * @param ended is called when it has died
     */
    void start(Runnable ended);

    /** Lets clients in, when all exports of before are there: who came earlier would hear that its files are gone. */
    void open();

    /** Exports a folder, again if need be, and says where. */
    NfsAddress add(SandboxId id, HostFolder folder);

    /** When it returns, nothing of the folder is open any more. */
    void remove(SandboxId id);

    @Override
    void close();
}
