-- A terminal's life; its bytes, its screen and what was typed live in the sandbox's agent.
CREATE TABLE terminals (
    id           text        PRIMARY KEY,
    sandbox_id   text        NOT NULL REFERENCES sandboxes (id) ON DELETE CASCADE,
    project_id   text        NOT NULL,
    owner        text        NOT NULL,
    door         text        NOT NULL CHECK (door IN ('pty', 'exec', 'session')),
    command      text        NOT NULL,
    workdir      text,
    -- As it began.
    columns      integer     NOT NULL,
    rows         integer     NOT NULL,
    -- The sandbox was made for this terminal and ends with it.
    own_sandbox  boolean     NOT NULL,
    recorded     boolean     NOT NULL,
    idle_seconds bigint      NOT NULL CHECK (idle_seconds > 0),
    created_at   timestamptz NOT NULL,
    expires_at   timestamptz NOT NULL,
    -- When bytes last went in or out, as far as a relay has looked.
    active_at    timestamptz NOT NULL,
    -- Null until the agent has started it; a place is taken from the beginning.
    started_at   timestamptz,
    -- When somebody was attached for the first time.
    attached_at  timestamptz,
    -- Why it is being ended; null while nobody has asked for that.
    ending       text        CHECK (ending IN ('user', 'idle', 'expired')),
    ended_at     timestamptz,
    end_reason   text        CHECK (end_reason IN ('exited', 'user', 'idle', 'expired', 'lost', 'sandbox')),
    exit_code    integer,
    CHECK ((ended_at IS NULL) = (end_reason IS NULL))
);
CREATE INDEX terminals_live ON terminals (sandbox_id) WHERE ended_at IS NULL;
CREATE INDEX terminals_by_owner ON terminals (project_id, owner) WHERE ended_at IS NULL;
CREATE INDEX terminals_by_project ON terminals (project_id, id DESC);
CREATE INDEX terminals_over ON terminals (ended_at) WHERE ended_at IS NOT NULL;

-- One-time logins for clients that can send no header. Only hashes are stored; a row is deleted when it is used.
CREATE TABLE tickets (
    hash       text        PRIMARY KEY,
    -- What it opens, and nothing else.
    subject    text        NOT NULL,
    caller_id  text        NOT NULL,
    project_id text        NOT NULL,
    role       text        NOT NULL,
    system     boolean     NOT NULL,
    -- The page that asked for it; null when no browser did.
    origin     text,
    expires_at timestamptz NOT NULL
);
CREATE INDEX tickets_by_expiry ON tickets (expires_at);

-- What a recorded terminal has shown, as asciicast; written by the relay that its agent is connected to.
CREATE TABLE recordings (
    terminal_id text        PRIMARY KEY REFERENCES terminals (id) ON DELETE CASCADE,
    -- The first byte of output that is not in it yet: whoever goes on must have seen the same.
    next_offset bigint      NOT NULL,
    parts       integer     NOT NULL,
    size        bigint      NOT NULL,
    last_at     timestamptz NOT NULL,
    complete    boolean     NOT NULL
);
CREATE TABLE recording_parts (
    terminal_id text    NOT NULL REFERENCES recordings (terminal_id) ON DELETE CASCADE,
    part        integer NOT NULL,
    data        bytea   NOT NULL,
    PRIMARY KEY (terminal_id, part)
);
