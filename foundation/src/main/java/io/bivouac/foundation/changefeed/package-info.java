/** Hearing of changes the moment they are committed, in this process or another, by LISTEN and NOTIFY. */
package io.bivouac.foundation.changefeed;
