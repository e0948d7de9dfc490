-- Where on its host a sandbox's declared ports can be reached. A row outlives its listener, so that the sandbox has
-- the same address again after a stop and a start, or after a restart of the relay.
CREATE TABLE published_ports (
    sandbox_id text    NOT NULL REFERENCES sandboxes (id) ON DELETE CASCADE,
    port       integer NOT NULL,
    -- On the loopback address of the host that the relay runs on.
    host_port  integer NOT NULL,
    PRIMARY KEY (sandbox_id, port)
);
