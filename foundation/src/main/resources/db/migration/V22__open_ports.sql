-- Ports of running sandboxes on which a program listens, as far as their opening was told. A row of another start of the
-- agent than the present one counts for nothing.
CREATE TABLE open_ports (
    sandbox_id text    NOT NULL REFERENCES sandboxes (id) ON DELETE CASCADE,
    port       integer NOT NULL,
    boot_id    text    NOT NULL,
    program    text,
    PRIMARY KEY (sandbox_id, port)
);
