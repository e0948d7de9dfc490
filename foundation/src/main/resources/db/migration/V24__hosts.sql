-- The processes that make sandboxes, for those that only decide where: a row that was not renewed for a while is of a
-- process that is gone.
CREATE TABLE hosts (
    process      text             PRIMARY KEY,
    host         text             NOT NULL,
    runtime      text             NOT NULL,
    cpu          double precision NOT NULL,
    memory_bytes bigint           NOT NULL,
    disk_bytes   bigint           NOT NULL,
    -- What holds for its sandboxes, of users, memory, pids, cpu, disk; separated by commas.
    enforces     text             NOT NULL,
    -- Why it cannot start sandboxes now; null while it can.
    fault        text,
    until        timestamptz      NOT NULL
);
