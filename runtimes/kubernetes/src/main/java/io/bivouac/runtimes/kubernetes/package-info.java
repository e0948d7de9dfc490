/**
 * Sandboxes as Pods of a Kubernetes cluster. A Secret for each sandbox holds all that there is to know about it, its
 * manifest included; its Pod is there while it runs, and a claim where its workspace is to last. State is read from
 * informers. The agent dials the relay by TCP and TLS, which is all that the sandboxes' network policy lets through.
 */
package io.bivouac.runtimes.kubernetes;
