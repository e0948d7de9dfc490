package io.bivouac.events;

import java.util.Arrays;
import java.util.Optional;

/** Every type of event, under the name it has on the wire. */
public enum EventType {
    SANDBOX_CREATED("sandbox.created"),
    SANDBOX_STARTING("sandbox.starting"),
    SANDBOX_RUNNING("sandbox.running"),
    SANDBOX_PAUSED("sandbox.paused"),
    SANDBOX_RESUMED("sandbox.resumed"),
    SANDBOX_EXPIRING("sandbox.expiring"),
    SANDBOX_EXPIRED("sandbox.expired"),
    SANDBOX_STOPPED("sandbox.stopped"),
    SANDBOX_DELETED("sandbox.deleted"),
    SANDBOX_ERROR("sandbox.error"),
    SANDBOX_PORT_OPENED("sandbox.port-opened"),
    SANDBOX_PORT_CLOSED("sandbox.port-closed"),
    AGENT_CONNECTED("agent.connected"),
    AGENT_DISCONNECTED("agent.disconnected"),
    TERMINAL_STARTED("terminal.started"),
    TERMINAL_ENDED("terminal.ended"),
    PERMISSION_REQUESTED("permission.requested"),
    PERMISSION_RESOLVED("permission.resolved"),
    WEBHOOK_DISABLED("webhook.disabled"),
    WEBHOOK_TEST("webhook.test");

    private final String wireName;

    EventType(String wireName) {
        this.wireName = wireName;
    }

    public String wireName() {
        return wireName;
    }

    public static Optional<EventType> ofWireName(String name) {
        return Arrays.stream(values())
                .filter(type -> type.wireName.equals(name))
                .findFirst();
    }
}
