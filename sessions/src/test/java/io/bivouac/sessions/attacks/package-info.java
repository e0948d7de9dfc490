/** What somebody may try who means ill, and what they get for it: the rows of docs/attacks.md. */
package io.bivouac.sessions.attacks;
