-- The hosts that a sandbox may reach, as a JSON array of host:port; none by default.
ALTER TABLE sandboxes ADD COLUMN egress jsonb NOT NULL DEFAULT '[]';
