-- Proofs of possession that were shown, for as long as they could be shown again. Only hashes are stored.
CREATE TABLE used_proofs (
    hash       bytea       PRIMARY KEY,
    expires_at timestamptz NOT NULL
);
CREATE INDEX used_proofs_by_expiry ON used_proofs (expires_at);

-- A terminal also ends when the right that it was opened by is withdrawn.
ALTER TABLE terminals DROP CONSTRAINT terminals_ending_check;
ALTER TABLE terminals DROP CONSTRAINT terminals_end_reason_check;
ALTER TABLE terminals ADD CONSTRAINT terminals_ending_check
    CHECK (ending IN ('user', 'idle', 'expired', 'revoked'));
ALTER TABLE terminals ADD CONSTRAINT terminals_end_reason_check
    CHECK (end_reason IN ('exited', 'user', 'idle', 'expired', 'lost', 'sandbox', 'revoked'));

-- What a guest asked for and by which Pod's ACL they got it: it is asked again while the session lives.
CREATE TABLE pod_sessions (
    terminal_id text        PRIMARY KEY REFERENCES terminals (id) ON DELETE CASCADE,
    pod         text        NOT NULL,
    web_id      text        NOT NULL,
    client      text        NOT NULL,
    issuer      text        NOT NULL,
    -- The page that asked; null when no browser did.
    origin      text,
    command     text,
    workdir     text        NOT NULL,
    -- Names of the secrets that were handed over, never what is in them.
    secrets     jsonb       NOT NULL,
    -- When the ACL was last found to grant all this.
    granted_at  timestamptz NOT NULL
);

-- What secrets for this agent's commands are sealed to, so that any relay can; empty for an agent that takes none.
ALTER TABLE agent_connections ADD COLUMN secrets_key bytea NOT NULL DEFAULT '';
