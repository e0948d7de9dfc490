/**
 * End-to-end encryption as far as the relay is concerned: who asked for it, which keys were named, and the rule that
 * clear terminals are refused. What passes is sealed between the client and the sandbox's agent; nothing in this
 * program can open it.
 */
package io.bivouac.terminalrelay.sealed;
