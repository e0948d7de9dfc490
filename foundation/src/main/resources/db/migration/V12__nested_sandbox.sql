-- Whether programs in it may make sandboxes of their own: a launch rule's word, kept for each start.
ALTER TABLE sandboxes ADD COLUMN nested_sandbox boolean NOT NULL DEFAULT false;
