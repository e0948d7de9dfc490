/**
 * What the process may hold in memory for answers that are not sent yet: one budget for all purposes, of which a
 * project gets a share. A listing, a log, a stream or a command's output that does not fit is refused.
 */
package io.bivouac.foundation.memory;
