/**
 * The plane of one sandbox as E2B's SDKs know it: remote calls by the Connect protocol with JSON, and contents of files.
 * A header names the sandbox, and a token of its own opens it.
 */
package io.bivouac.fronts.e2b.plane;
