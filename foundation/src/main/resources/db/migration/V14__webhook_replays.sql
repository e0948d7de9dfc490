-- How often a delivery was put back to be sent again. An attempt that was under way then knows a smaller number, and
-- does not settle what was asked for after it had begun.
ALTER TABLE webhook_deliveries ADD COLUMN replays integer NOT NULL DEFAULT 0;
