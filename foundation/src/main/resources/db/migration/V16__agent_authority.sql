-- Where agents and other relays reach a relay by TLS, as host:port; null when they cannot.
ALTER TABLE relays ADD COLUMN agent_address text;

-- The installation's own authority for the certificates of relays: one row, made by whichever server starts first.
CREATE TABLE agent_authority (
    id            integer PRIMARY KEY CHECK (id = 1),
    -- PEM.
    certificate   text    NOT NULL,
    -- PEM (PKCS #8), encrypted.
    encrypted_key bytea   NOT NULL
);
