/**
 * WebSockets of terminals: admission, origin check, upgrade, and the pipeline that frames pass.
 *
 * <p>A socket checks the caller and the request, picks the codec, and leaves the rest to the terminal.
 */
package io.bivouac.terminalrelay.socket;
