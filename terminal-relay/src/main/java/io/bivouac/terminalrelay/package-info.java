/** The data plane: what streams between people, programs and the agents inside sandboxes. */
package io.bivouac.terminalrelay;
