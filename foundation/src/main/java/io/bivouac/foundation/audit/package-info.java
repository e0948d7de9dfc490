/** Who did what: append-only, a hash chain for each project. */
package io.bivouac.foundation.audit;
