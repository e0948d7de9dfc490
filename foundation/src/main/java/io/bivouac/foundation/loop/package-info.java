/** Background work that goes on while the process runs: one thread, a step, a pause, and a stop. */
package io.bivouac.foundation.loop;
