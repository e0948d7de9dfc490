package io.bivouac.events;

/** What an event says beside its envelope; one record for each family of types. */
public sealed interface EventData permits SandboxData, AgentData, PortData, TerminalData, PermissionData, WebhookData {}
