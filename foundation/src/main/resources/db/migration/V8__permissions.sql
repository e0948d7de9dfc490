-- What programs in sandboxes ask to be allowed, and what the answer was. A yes that lasts is a grant.
CREATE TABLE permission_requests (
    id            text        PRIMARY KEY,
    sandbox_id    text        NOT NULL REFERENCES sandboxes (id) ON DELETE CASCADE,
    project_id    text        NOT NULL,
    -- The terminal whose program asks, and who that runs for; null when no terminal's does.
    terminal_id   text,
    owner         text,
    -- The agent's own name for it: sent once more after a reconnect, it is still the same question.
    question_id   text        NOT NULL,
    -- As it is shown to people: cut, and without characters that could deceive them.
    source        text        NOT NULL,
    action        text        NOT NULL,
    resource      text        NOT NULL,
    description   text        NOT NULL,
    cwd           text        NOT NULL,
    input         text        NOT NULL,
    -- How long the whole input is.
    input_bytes   integer     NOT NULL,
    -- Over all that was asked, before anything was cut: what a grant covers.
    fingerprint   text        NOT NULL,
    -- So many approvers have to say yes.
    quorum        integer     NOT NULL CHECK (quorum > 0),
    state         text        NOT NULL CHECK (state IN ('open', 'granted', 'denied')),
    created_at    timestamptz NOT NULL,
    -- After this the answer is no.
    expires_at    timestamptz NOT NULL,
    decided_at    timestamptz,
    -- Null when nobody did.
    decided_by    text,
    reason        text,
    -- Until then the same question is answered with yes.
    granted_until timestamptz,
    UNIQUE (sandbox_id, question_id),
    CHECK ((state = 'open') = (decided_at IS NULL)),
    CHECK (granted_until IS NULL OR state = 'granted')
);
CREATE INDEX permission_requests_by_project ON permission_requests (project_id, id DESC);
CREATE INDEX permission_requests_open ON permission_requests (project_id, sandbox_id) WHERE state = 'open';
CREATE INDEX permission_requests_due ON permission_requests (expires_at) WHERE state = 'open';
CREATE INDEX permission_grants ON permission_requests (sandbox_id, fingerprint) WHERE granted_until IS NOT NULL;
CREATE INDEX permission_requests_over ON permission_requests (decided_at) WHERE decided_at IS NOT NULL;

-- The relay that holds the asking agent, and those where approvers are attached, hear of each change.
CREATE TRIGGER permission_request_changed AFTER INSERT OR UPDATE ON permission_requests
    FOR EACH ROW EXECUTE FUNCTION tell_of_change();

-- Where more than one approver has to say yes.
CREATE TABLE permission_approvals (
    request_id    text        NOT NULL REFERENCES permission_requests (id) ON DELETE CASCADE,
    approver      text        NOT NULL,
    granted_until timestamptz,
    at            timestamptz NOT NULL,
    PRIMARY KEY (request_id, approver)
);
