/**
 * Terminal sessions: a trusted program started by a launch rule, for a member of the project or for a guest.
 *
 * <p>{@link io.bivouac.sessions.launch} says which programs may be started and how, {@link io.bivouac.sessions.acl} and
 * {@link io.bivouac.sessions.pod} what a Pod grants to whom, {@link io.bivouac.sessions.secret} brings a Pod's secrets to
 * the program.
 */
package io.bivouac.sessions;
