/** The lifecycle of sandboxes as OpenSandbox's SDKs know it: create, look, list, renew, end, and where its ports are. */
package io.bivouac.fronts.opensandbox.control;
