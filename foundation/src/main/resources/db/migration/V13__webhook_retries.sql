-- While an endpoint fails, only what was tried before is sent to it, on its own schedule. Those few are found here and
-- not among all that waits untried, which may be very many and is due all the time.
CREATE INDEX webhook_deliveries_retried ON webhook_deliveries (endpoint_id, due_at)
    WHERE state = 'waiting' AND attempts > 0;
