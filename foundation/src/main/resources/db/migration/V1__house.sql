-- One row, made at the first start: which Bivouac this is.
CREATE TABLE installation (
    only_row    boolean     PRIMARY KEY DEFAULT true CHECK (only_row),
    id          text        NOT NULL,
    created_at  timestamptz NOT NULL
);

CREATE TABLE projects (
    id            text        PRIMARY KEY,
    name          text        NOT NULL UNIQUE,
    sandbox_limit integer     NOT NULL CHECK (sandbox_limit >= 0),
    created_at    timestamptz NOT NULL
);

-- Keys are random enough that one round of SHA-256 keeps them; the text itself is never stored.
CREATE TABLE api_keys (
    id           text        PRIMARY KEY,
    project_id   text        NOT NULL REFERENCES projects (id),
    name         text        NOT NULL,
    prefix       text        NOT NULL,
    hash         bytea       NOT NULL UNIQUE,
    role         text        NOT NULL CHECK (role IN ('admin', 'developer', 'viewer')),
    system       boolean     NOT NULL,
    created_at   timestamptz NOT NULL,
    last_used_at timestamptz,
    revoked_at   timestamptz
);
CREATE INDEX api_keys_by_project ON api_keys (project_id, id DESC);

CREATE TABLE sandboxes (
    id              text             PRIMARY KEY,
    project_id      text             NOT NULL REFERENCES projects (id),
    name            text,
    template        text             NOT NULL,
    cpu             double precision NOT NULL,
    memory_bytes    bigint           NOT NULL,
    disk_bytes      bigint           NOT NULL,
    envs            jsonb            NOT NULL,
    labels          jsonb            NOT NULL,
    workspace       text,
    runtime         text             NOT NULL,
    host            text             NOT NULL,
    state           text             NOT NULL
        CHECK (state IN ('starting', 'running', 'stopping', 'stopped', 'error', 'deleted')),
    state_reason    text,
    stop_reason     text             CHECK (stop_reason IN ('user', 'expired')),
    teardown        text             CHECK (teardown IN ('stop', 'expire', 'delete')),
    keep_workspace  boolean          NOT NULL,
    state_since     timestamptz      NOT NULL,
    created_at      timestamptz      NOT NULL,
    updated_at      timestamptz      NOT NULL,
    expires_at      timestamptz      NOT NULL,
    timeout_seconds bigint           NOT NULL,
    announced       boolean          NOT NULL,
    -- When sandbox.expiring is due; null once it was said.
    notice_at       timestamptz,
    version         bigint           NOT NULL,
    sequence        bigint           NOT NULL,
    CHECK ((state = 'stopping') = (teardown IS NOT NULL))
);
CREATE INDEX sandboxes_by_project ON sandboxes (project_id, id DESC) WHERE state <> 'deleted';
CREATE INDEX sandboxes_by_label ON sandboxes USING gin (labels jsonb_path_ops) WHERE state <> 'deleted';
CREATE INDEX sandboxes_by_expiry ON sandboxes (expires_at) WHERE state NOT IN ('deleted', 'stopping');
CREATE INDEX sandboxes_by_notice ON sandboxes (notice_at) WHERE notice_at IS NOT NULL AND state <> 'deleted';
CREATE INDEX sandboxes_by_host ON sandboxes (host, runtime) WHERE state <> 'deleted';

-- The outbox and, once published, the history. Positions are not in commit order across sandboxes, so nobody
-- may remember "the last position"; for one sandbox they are, since its row is locked before they are drawn.
CREATE TABLE events (
    position     bigint      PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    id           text        NOT NULL UNIQUE,
    project_id   text        NOT NULL,
    subject      text        NOT NULL,
    sequence     bigint      NOT NULL,
    type         text        NOT NULL,
    occurred_at  timestamptz NOT NULL,
    envelope     text        NOT NULL,
    published_at timestamptz,
    UNIQUE (subject, sequence)
);
CREATE INDEX events_unpublished ON events (position) WHERE published_at IS NULL;
CREATE INDEX events_published ON events (published_at) WHERE published_at IS NOT NULL;

-- Whoever waits for a sandbox, and the outbox relay, hear of every change in the transaction that makes it.
CREATE FUNCTION tell_of_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('bivouac_changes', NEW.id);
    RETURN NULL;
END $$;
CREATE TRIGGER sandbox_changed AFTER INSERT OR UPDATE ON sandboxes
    FOR EACH ROW EXECUTE FUNCTION tell_of_change();

CREATE TABLE idempotency_keys (
    project_id   text        NOT NULL REFERENCES projects (id),
    key          text        NOT NULL,
    request_hash bytea       NOT NULL,
    sandbox_id   text        NOT NULL,
    -- The answer as it was given, without the access token; null until the first one was given.
    response     text,
    created_at   timestamptz NOT NULL,
    PRIMARY KEY (project_id, key)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

-- Append-only, a chain for each project: each row carries the hash of the one before.
CREATE TABLE audit (
    project_id  text        NOT NULL,
    sequence    bigint      NOT NULL,
    at          timestamptz NOT NULL,
    actor       text        NOT NULL,
    action      text        NOT NULL,
    subject     text        NOT NULL,
    detail      text        NOT NULL,
    previous    bytea       NOT NULL,
    hash        bytea       NOT NULL,
    PRIMARY KEY (project_id, sequence)
);
CREATE FUNCTION audit_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'audit rows are never changed';
END $$;
CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
    FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only();
