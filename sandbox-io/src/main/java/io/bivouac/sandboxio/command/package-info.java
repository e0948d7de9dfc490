/**
 * Running commands over HTTP: one class for each operation. A result in one piece is collected within a bound;
 * a streamed one passes through at the client's own pace, and the command waits when the client does.
 */
package io.bivouac.sandboxio.command;
