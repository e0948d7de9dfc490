/**
 * Secrets of a Pod for the environment of a session's command. The relay reads them by its own access to the Pod and
 * seals them at once to the agent that starts the command; it keeps nothing, and writes down names only.
 */
package io.bivouac.sessions.secret;
