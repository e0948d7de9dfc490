-- The relays that are up; one that has not been seen for a while is gone, and with it its agents' connections.
CREATE TABLE relays (
    id      text        PRIMARY KEY,
    -- Where other relays reach its HTTP; null when it told none.
    address text,
    seen_at timestamptz NOT NULL
);

-- Which relay holds, or held last, the connection of a sandbox's agent.
CREATE TABLE agent_connections (
    sandbox_id      text        PRIMARY KEY REFERENCES sandboxes (id) ON DELETE CASCADE,
    relay           text        NOT NULL,
    -- Rises with every registration, so that a late farewell of an older connection changes nothing.
    epoch           bigint      NOT NULL,
    connected_at    timestamptz NOT NULL,
    -- Null while the relay holds it.
    disconnected_at timestamptz
);

-- The search for lost agents runs every few seconds and must not read what is stopped or deleted.
CREATE INDEX sandboxes_running ON sandboxes (id) WHERE state = 'running';
