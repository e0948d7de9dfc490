package io.bivouac.sessions.pod;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;

/**
 * What a Pod's ACL grants a session.
 *
 * @param workdirs the containers that it is confined to; null for none
 * @param secrets the documents that its secrets are from
 * @param maxDuration in seconds; null where the ACL sets no bound
 */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SessionPermissions(
        @Nullable List<String> workdirs,
        List<String> secrets,
        @Nullable Long maxDuration) {
    public static SessionPermissions of(Grant grant) {
        var within = grant.within();
        var longest = grant.longest();
        return new SessionPermissions(
                within == null ? null : within.stream().sorted().toList(),
                grant.ask().secrets().stream().sorted().toList(),
                longest == null ? null : longest.toSeconds());
    }
}
