/**
 * The files of a running sandbox: {@code Files} is the use case, free of HTTP and of the agent's protocol, and one class for
 * each operation puts it on HTTP. Contents pass through at the slower side's pace and are never collected here; what may be
 * done is decided by the kernel in the sandbox, with the permissions of one of its users.
 */
package io.bivouac.sandboxio.file;
