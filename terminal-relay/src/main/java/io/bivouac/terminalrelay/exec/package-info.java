/** The interactive exec: a command on a terminal that lives as long as its WebSocket. */
package io.bivouac.terminalrelay.exec;
