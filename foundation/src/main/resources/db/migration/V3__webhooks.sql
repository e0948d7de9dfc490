-- Counts every change of an endpoint. Its row stays locked until the change is committed, so numbers become visible
-- in order: whoever has seen n misses nothing by asking for what is greater.
CREATE TABLE webhook_generation (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    number   bigint  NOT NULL
);
INSERT INTO webhook_generation (number) VALUES (0);

CREATE TABLE webhook_endpoints (
    id              text        PRIMARY KEY,
    project_id      text        NOT NULL REFERENCES projects (id),
    url             text        NOT NULL,
    description     text,
    -- Patterns such as sandbox.*, separated by commas.
    types           text        NOT NULL,
    enabled         boolean     NOT NULL,
    disabled_reason text        CHECK (disabled_reason IN ('user', 'gone', 'failing')),
    disabled_at     timestamptz,
    retry           text        NOT NULL CHECK (retry IN ('long', 'short')),
    fifo            boolean     NOT NULL,
    -- Deliveries a second; null means as fast as it answers.
    rate_limit      integer     CHECK (rate_limit > 0),
    concurrency     integer     NOT NULL CHECK (concurrency > 0),
    signing         text        NOT NULL CHECK (signing IN ('v1', 'v1a')),
    -- Encrypted, each bound to its row and column.
    secret          bytea       NOT NULL,
    previous_secret bytea,
    previous_until  timestamptz,
    -- The first failure since the last success.
    failing_since   timestamptz,
    sequence        bigint      NOT NULL,
    version         bigint      NOT NULL,
    generation      bigint      NOT NULL,
    created_at      timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL,
    deleted_at      timestamptz,
    CHECK (enabled = (disabled_reason IS NULL)),
    CHECK ((previous_secret IS NULL) = (previous_until IS NULL))
);
CREATE INDEX webhook_endpoints_by_project ON webhook_endpoints (project_id, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX webhook_endpoints_by_generation ON webhook_endpoints (generation);

CREATE FUNCTION count_webhook_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE webhook_generation SET number = number + 1 RETURNING number INTO NEW.generation;
    PERFORM pg_notify('bivouac_changes', NEW.id);
    RETURN NEW;
END $$;
CREATE TRIGGER webhook_endpoint_changed BEFORE INSERT OR UPDATE ON webhook_endpoints
    FOR EACH ROW EXECUTE FUNCTION count_webhook_change();

-- One row for each event and endpoint: the queue while it waits, the log afterwards. Its id is made from both, so a
-- delivery that is met again after a crash finds its row; and it begins with the event's time, so that a day is a
-- range of ids, and a partition that is dropped when it is old.
CREATE SEQUENCE webhook_positions;
CREATE TABLE webhook_deliveries (
    id          text COLLATE "C" PRIMARY KEY,
    -- The order of strict FIFO endpoints.
    position    bigint      NOT NULL DEFAULT nextval('webhook_positions'),
    project_id  text        NOT NULL,
    endpoint_id text        NOT NULL,
    event_id    text        NOT NULL,
    type        text        NOT NULL,
    subject     text        NOT NULL,
    state       text        NOT NULL CHECK (state IN ('waiting', 'delivered', 'dead', 'cancelled')),
    attempts    integer     NOT NULL,
    -- When it is to be tried; of a claimed one, when the claim ends. Null unless it waits.
    due_at      timestamptz,
    -- What is sent; null once it was delivered, since the events' table has it too.
    envelope    text,
    -- The last attempts, the oldest first.
    log         jsonb       NOT NULL,
    created_at  timestamptz NOT NULL,
    updated_at  timestamptz NOT NULL,
    CHECK (state <> 'waiting' OR (due_at IS NOT NULL AND envelope IS NOT NULL))
) PARTITION BY RANGE (id);
-- For events whose time is outside of every day that has a partition.
CREATE TABLE webhook_deliveries_rest PARTITION OF webhook_deliveries DEFAULT;
CREATE INDEX webhook_deliveries_by_endpoint ON webhook_deliveries (endpoint_id, id DESC);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, due_at) WHERE state = 'waiting';
CREATE INDEX webhook_deliveries_in_order ON webhook_deliveries (endpoint_id, position) WHERE state = 'waiting';

-- Replays ask for a project's events of a span of time.
CREATE INDEX events_by_time ON events (project_id, occurred_at);
