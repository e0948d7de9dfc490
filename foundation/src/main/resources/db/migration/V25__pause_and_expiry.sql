-- Sandboxes whose processes are frozen, and what is to become of a sandbox whose time is over.
ALTER TABLE sandboxes DROP CONSTRAINT sandboxes_state_check;
ALTER TABLE sandboxes ADD CONSTRAINT sandboxes_state_check
    CHECK (state IN ('starting', 'running', 'paused', 'stopping', 'stopped', 'error', 'deleted'));
ALTER TABLE sandboxes DROP CONSTRAINT sandboxes_stop_reason_check;
ALTER TABLE sandboxes ADD CONSTRAINT sandboxes_stop_reason_check CHECK (stop_reason IN ('user', 'expired', 'time_over'));
ALTER TABLE sandboxes DROP CONSTRAINT sandboxes_teardown_check;
ALTER TABLE sandboxes ADD CONSTRAINT sandboxes_teardown_check
    CHECK (teardown IN ('stop', 'expire', 'stop_at_expiry', 'delete'));

ALTER TABLE sandboxes ADD COLUMN auto_resume boolean NOT NULL DEFAULT false;

-- Sandboxes that were made before lose their files at their end, as they were promised.
ALTER TABLE sandboxes ADD COLUMN on_expiry text NOT NULL DEFAULT 'delete' CHECK (on_expiry IN ('keep', 'stop', 'delete'));
ALTER TABLE sandboxes ALTER COLUMN on_expiry DROP DEFAULT;
-- Until when an expired sandbox's workspace is kept; null when it is not.
ALTER TABLE sandboxes ADD COLUMN files_until timestamptz;
