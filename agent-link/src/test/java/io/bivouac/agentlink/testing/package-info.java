/** A relay with a real database, and real agents to connect to it. */
package io.bivouac.agentlink.testing;
