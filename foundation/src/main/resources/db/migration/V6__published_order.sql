-- In which order events were published. Only the one session that holds the outbox's lock draws these numbers, a
-- batch in one transaction after the other: so, unlike positions, they are in commit order, and a reader may
-- remember the last one it has seen.
CREATE SEQUENCE published_events;
ALTER TABLE events ADD COLUMN published_number bigint;
CREATE INDEX events_by_publication ON events (project_id, published_number) WHERE published_number IS NOT NULL;
