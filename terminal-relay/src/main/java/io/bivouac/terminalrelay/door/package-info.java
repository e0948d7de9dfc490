/**
 * The doors to terminals: the requests and WebSockets that clients use. A door checks who comes and what they want,
 * picks the codec, and leaves the rest to the terminal.
 */
package io.bivouac.terminalrelay.door;
