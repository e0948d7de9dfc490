/**
 * The inside of one sandbox as OpenSandbox's SDKs know it: commands, files, metrics and the hosts that it may reach. A
 * token of the sandbox's own opens it.
 */
package io.bivouac.fronts.opensandbox.execd;
