/**
 * The agents' connections. An agent dials the relay, registers once, and from then on carries commands; every
 * message from it is hostile, bounded input. {@link io.bivouac.agentlink.AgentConnections} finds the
 * connection of a sandbox, {@link io.bivouac.agentlink.AgentConnection} sends orders over it, and
 * {@link io.bivouac.agentlink.CommandStream} is one reader of one command. The database knows which
 * relay holds which agent, so that one that is connected nowhere is found, whichever process died.
 */
package io.bivouac.agentlink;
