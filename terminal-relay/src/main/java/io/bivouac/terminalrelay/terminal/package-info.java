/**
 * Terminals: what the database knows of them, and the clients that are attached. A terminal itself lives in its
 * sandbox's agent, with its bytes, its screen and the count of what was typed; each attachment is one agent stream
 * of its own. So a relay holds nothing that would be lost with it.
 */
package io.bivouac.terminalrelay.terminal;
