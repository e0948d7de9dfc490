/**
 * What terminals' clients say and hear, and how each door spells it. A codec knows bytes and messages and nothing
 * else: no socket, no sandbox, no clock. {@code docs/terminal-protocol.md} is the authority.
 */
package io.bivouac.terminalrelay.wire;
