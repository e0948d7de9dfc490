/** Secrets at rest: what the database holds of them is useless without the operator's key. */
package io.bivouac.foundation.encryption;
