/** OpenSandbox's SDKs, unmodified: their requests are translated to the use cases, and the answers to their forms. */
package io.bivouac.fronts.opensandbox;
