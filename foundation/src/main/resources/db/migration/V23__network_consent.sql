-- Whether a closed host is a question to the approvers who are there.
ALTER TABLE sandboxes ADD COLUMN egress_ask boolean NOT NULL DEFAULT true;

-- The host and port that a yes opens, where the proxy asks; null for all other questions. How far a yes reaches: this
-- once, this sandbox, or its template as well.
ALTER TABLE permission_requests ADD COLUMN host text;
ALTER TABLE permission_requests ADD COLUMN scope text CHECK (scope IN ('once', 'sandbox', 'template'));
ALTER TABLE permission_requests ADD CONSTRAINT permission_scope CHECK (scope IS NULL OR (host IS NOT NULL AND state = 'granted'));
ALTER TABLE permission_approvals ADD COLUMN scope text;
CREATE INDEX permission_requests_of_host ON permission_requests (sandbox_id, fingerprint, id DESC) WHERE host IS NOT NULL;

-- Hosts that a project has opened for all new sandboxes of a template.
CREATE TABLE template_hosts (
    project_id text        NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    template   text        NOT NULL,
    host       text        NOT NULL,
    at         timestamptz NOT NULL,
    PRIMARY KEY (project_id, template, host)
);

-- The hosts that programs of a sandbox were refused last.
CREATE TABLE blocked_hosts (
    sandbox_id text        NOT NULL REFERENCES sandboxes (id) ON DELETE CASCADE,
    host       text        NOT NULL,
    program    text        NOT NULL,
    at         timestamptz NOT NULL,
    PRIMARY KEY (sandbox_id, host)
);

-- Where approvers are connected: to a sandbox's terminals, or with the empty id to all of a project. A server says so
-- again every few seconds, so the rows of one that was killed count for a moment only.
CREATE TABLE approvers_present (
    server     text        NOT NULL,
    project_id text        NOT NULL,
    sandbox_id text        NOT NULL,
    until      timestamptz NOT NULL,
    PRIMARY KEY (server, project_id, sandbox_id)
);
CREATE INDEX approvers_present_in_project ON approvers_present (project_id);
