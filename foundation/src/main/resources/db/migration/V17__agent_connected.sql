-- Whether agent.connected was said and agent.disconnected has not been said since.
ALTER TABLE sandboxes ADD COLUMN agent_connected boolean NOT NULL DEFAULT false;
UPDATE sandboxes SET agent_connected = true WHERE state = 'running';
