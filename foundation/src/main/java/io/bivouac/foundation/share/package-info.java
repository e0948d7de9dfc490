/**
 * Fair shares of what all callers use together: a pool has a total, and beside it a bound for each project and for each
 * caller, so that nobody can take all of it. Counted in this process; nothing is remembered of whoever holds nothing.
 */
package io.bivouac.foundation.share;
