-- Terminals that only their clients and their agent can read.
ALTER TABLE terminals ADD COLUMN sealed boolean NOT NULL DEFAULT false;
-- The agent's public key, base64; null until a sealed terminal has started.
ALTER TABLE terminals ADD COLUMN host_key text;
