-- Sandboxes are found by their names, which need not be unique.
CREATE INDEX sandboxes_by_name ON sandboxes (project_id, name) WHERE state <> 'deleted';
