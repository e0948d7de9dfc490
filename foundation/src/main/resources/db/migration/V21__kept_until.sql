-- The latest end that use of a sandbox gives it; null where use does not move its end.
ALTER TABLE sandboxes ADD COLUMN kept_until timestamptz;
CREATE INDEX sandboxes_kept ON sandboxes (expires_at) WHERE kept_until IS NOT NULL AND state = 'running';
