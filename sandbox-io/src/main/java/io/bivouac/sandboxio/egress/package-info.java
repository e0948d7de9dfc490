/**
 * The way out of sandboxes. A program connects to the proxy on its sandbox's loopback address, its agent carries the
 * bytes here, and this is the proxy: it reads which host is asked for, decides by the sandbox's policy as the database
 * has it at that moment, looks the name up, has the guard check the answer and dials that very address. Connections
 * that a changed policy no longer allows are cut.
 */
package io.bivouac.sandboxio.egress;
