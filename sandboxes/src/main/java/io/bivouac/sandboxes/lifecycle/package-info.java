/**
 * Work that time or a crash asks for: bringing sandboxes up and down on their host, ending those whose time is
 * over, and putting right what rows and instances disagree about. Each kind of work runs in one process at a
 * time, by an advisory lock.
 */
package io.bivouac.sandboxes.lifecycle;
