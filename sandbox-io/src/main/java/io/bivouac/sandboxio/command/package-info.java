/**
 * Running commands: {@code Commands} is the use case, and one class for each operation puts it on HTTP. A result in one piece is collected within a bound;
 * a streamed one passes through at the client's own pace, and the command waits when the client does.
 */
package io.bivouac.sandboxio.command;
