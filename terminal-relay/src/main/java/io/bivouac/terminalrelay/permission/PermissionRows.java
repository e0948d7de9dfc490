package io.bivouac.terminalrelay.permission;

import io.bivouac.foundation.paging.Page;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The statements on the questions' tables. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface PermissionRows extends GenericRepository<PermissionRequest, String> {
    /** Around a statement: no more rows than fit on a page by {@link PermissionRequest#largeFields}, and one. */
    String PAGE_BEGINS = """
            SELECT * FROM (SELECT q.*, sum(octet_length(resource) + octet_length(description) + octet_length(cwd)
                + octet_length(input)) OVER (ORDER BY id DESC""" + " " + Page.BEFORE + ") AS bytes_before FROM (";

    String PAGE_ENDS = ") q) p WHERE coalesce(bytes_before, 0) <= " + Page.LARGEST_BYTES + " ORDER BY id DESC";

    /** One change at a time in each project, until its transaction ends; {@link PlaceStatement} takes it as well. */
    @Query("SELECT CAST(pg_advisory_xact_lock(hashtextextended('bivouac/permissions/' || :project, 0)) AS text)")
    Optional<String> lockProject(String project);

    PermissionRequest save(PermissionRequest request);

    Optional<PermissionRequest> findById(String id);

    @Query("SELECT * FROM permission_requests WHERE sandbox_id = :sandbox AND question_id = :question")
    Optional<PermissionRequest> findQuestion(String sandbox, String question);

    @Query("SELECT * FROM permission_requests WHERE id IN (:ids)")
    List<PermissionRequest> findAll(List<String> ids);

    @Query("""
            UPDATE permission_requests
            SET state = :state, decided_at = :now, decided_by = :by, reason = :reason, granted_until = :until,
                scope = :scope
            WHERE id = :id AND state = 'open'""")
    int decide(
            String id,
            String state,
            Instant now,
            @Nullable String by,
            @Nullable String reason,
            @Nullable Instant until,
            @Nullable String scope);

    /** Of the questions about one host. */
    @Query("""
            SELECT * FROM permission_requests WHERE sandbox_id = :sandbox AND fingerprint = :fingerprint
              AND host IS NOT NULL
            ORDER BY id DESC LIMIT 1""")
    Optional<PermissionRequest> latestOfHost(String sandbox, String fingerprint);

    @Query("""
            SELECT * FROM permission_requests WHERE sandbox_id = :sandbox AND fingerprint = :fingerprint
              AND host IS NOT NULL AND granted_until > :now
            ORDER BY granted_until DESC LIMIT 1""")
    Optional<PermissionRequest> grantOfHost(String sandbox, String fingerprint, Instant now);

    @Query("UPDATE permission_requests SET granted_until = NULL WHERE id = :id AND granted_until > :now")
    int revoke(String id, Instant now);

    @Query("""
            INSERT INTO permission_approvals (request_id, approver, granted_until, scope, at)
            VALUES (:request, :approver, :until, :scope, :now)
            ON CONFLICT (request_id, approver) DO UPDATE SET granted_until = :until, scope = :scope, at = :now""")
    int approve(String request, String approver, @Nullable Instant until, @Nullable String scope, Instant now);

    @Query("SELECT DISTINCT scope FROM permission_approvals WHERE request_id = :request AND scope IS NOT NULL")
    List<String> approvedScopes(String request);

    @Query("SELECT count(*) FROM permission_approvals WHERE request_id = :request")
    long countApprovals(String request);

    /** The earliest end that an approver has set; nothing when one of them has allowed it just once. */
    @Query("""
            SELECT min(granted_until) FROM permission_approvals WHERE request_id = :request
            HAVING count(*) = count(granted_until)""")
    @Nullable Instant earliestEnd(String request);

    /** Whose time is over, or whose sandbox can no longer hear the answer. */
    @Query("""
            SELECT p.* FROM permission_requests p JOIN sandboxes s ON s.id = p.sandbox_id
            WHERE p.state = 'open' AND (p.expires_at <= :now OR s.state IN ('stopping', 'stopped', 'deleted'))
            ORDER BY p.expires_at LIMIT :limit""")
    List<PermissionRequest> due(Instant now, int limit);

    @Query("SELECT EXISTS (SELECT 1 FROM permission_requests WHERE state = 'open')")
    boolean isAnyOpen();

    @Query("""
            SELECT * FROM permission_requests WHERE project_id = :project AND sandbox_id = :sandbox AND state = 'open'
            ORDER BY id""")
    List<PermissionRequest> openIn(String project, String sandbox);

    @Query(PAGE_BEGINS + """
            SELECT * FROM permission_requests
            WHERE project_id = :project AND (:state IS NULL OR state = CAST(:state AS text))
              AND (:sandbox IS NULL OR sandbox_id = CAST(:sandbox AS text))
              AND (:cursor IS NULL OR id < CAST(:cursor AS text))
            ORDER BY id DESC LIMIT :limit""" + PAGE_ENDS)
    List<PermissionRequest> page(
            String project, @Nullable String state, @Nullable String sandbox, @Nullable String cursor, int limit);

    @Query(PAGE_BEGINS + """
            SELECT r.* FROM permission_requests r JOIN pod_sessions p ON p.terminal_id = r.terminal_id
            WHERE r.project_id = :project AND p.pod IN (:pods)
              AND (:state IS NULL OR r.state = CAST(:state AS text))
              AND (:cursor IS NULL OR r.id < CAST(:cursor AS text))
            ORDER BY r.id DESC LIMIT :limit""" + PAGE_ENDS)
    List<PermissionRequest> pageOfPods(
            String project, List<String> pods, @Nullable String state, @Nullable String cursor, int limit);

    /** Grants are kept for as long as they hold. */
    @Query("""
            DELETE FROM permission_requests
            WHERE decided_at < :before AND (granted_until IS NULL OR granted_until < :before)""")
    int purge(Instant before);
}
