package io.bivouac.agentlink;

import io.micronaut.core.annotation.Nullable;
import jakarta.inject.Singleton;

/**
 * Who hears what agents say unasked.
 *
 * @param ports null in a process that does not follow ports
 */
@Singleton
record AgentListeners(
        PermissionListener permissions, @Nullable PortsListener ports) {}
