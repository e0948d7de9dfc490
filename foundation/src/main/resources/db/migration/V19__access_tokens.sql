-- How often a sandbox was given a new access token; no row means never. Tokens are derived from this number.
CREATE TABLE access_tokens (
    sandbox_id text    PRIMARY KEY REFERENCES sandboxes (id) ON DELETE CASCADE,
    generation integer NOT NULL
);
