/** What operators look at: health, readiness, metrics, figures, garbage collection. */
package io.bivouac.functions.system;
