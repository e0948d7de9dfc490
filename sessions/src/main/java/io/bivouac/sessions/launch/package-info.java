/**
 * Which programs may be started as trusted ones, and how: an operator's list of whole launch rules. A rule names the
 * very file, the arguments and the variables; whatever it does not name is refused. Deciding is a pure function.
 */
package io.bivouac.sessions.launch;
