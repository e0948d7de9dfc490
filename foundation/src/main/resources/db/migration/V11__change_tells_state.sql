-- Who hears of a change of a sandbox hears the new state too: most states ask nothing of its host's keeper, which
-- then need not read the row.
CREATE FUNCTION tell_of_sandbox() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('bivouac_changes', NEW.id || ' ' || NEW.state);
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER sandbox_changed AFTER INSERT OR UPDATE ON sandboxes
    FOR EACH ROW EXECUTE FUNCTION tell_of_sandbox();
