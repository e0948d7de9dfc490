/**
 * Workspaces by NFS, for mounts from outside. An export comes and goes with its sandbox: it is there when somebody hears
 * that the sandbox runs, and gone before the disk is unmounted. The server is a process of our own beside this one
 * (embedded), which speaks NFS version 3 and is started again when it dies, or the host's own (system).
 */
package io.bivouac.sandboxes.nfs;
