-- What is said of a session whenever it is looked at: its program's number in the sandbox, and what the Pod's ACL grants.
-- Null for sessions from before; the ACL's words come with the next time it is asked.
ALTER TABLE terminals ADD COLUMN pid integer;
ALTER TABLE pod_sessions ADD COLUMN permissions jsonb;
