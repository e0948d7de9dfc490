/** Terminals of a sandbox over HTTP: create, list, resize, end, and the WebSocket of each. */
package io.bivouac.terminalrelay.pty;
