/** The control plane as E2B's SDKs know it: create, connect, look, list, set the end, kill. */
package io.bivouac.fronts.e2b.control;
