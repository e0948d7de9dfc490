package io.bivouac.sessions.pod;

import io.bivouac.foundation.access.Visitor;
import io.bivouac.sessions.acl.TerminalAsk;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.TypeDef;
import io.micronaut.data.model.DataType;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * A session that a Pod's ACL granted, with what is needed to ask it again.
 *
 * @param permissions by the ACL as it was last read; null when that was before they were stored
 */
@MappedEntity("pod_sessions")
record PodSession(
        @Id String terminalId,
        String pod,
        String webId,
        String client,
        String issuer,
        @Nullable String origin,
        @Nullable String command,
        String workdir,
        @TypeDef(type = DataType.JSON) List<String> secrets,
        Instant grantedAt,
        @Nullable @TypeDef(type = DataType.JSON) SessionPermissions permissions) {
    static PodSession of(String terminal, Grant grant, Instant now) {
        var visitor = grant.requester().visitor();
        return new PodSession(
                terminal,
                grant.pod().url(),
                visitor.webId(),
                visitor.client(),
                visitor.issuer(),
                grant.requester().origin(),
                grant.ask().command(),
                grant.ask().workdir(),
                grant.ask().secrets().stream().sorted().toList(),
                now,
                SessionPermissions.of(grant));
    }

    Visitor visitor() {
        return new Visitor(webId, client, issuer);
    }

    /** How long it lasts is not asked again but cut. */
    TerminalAsk ask() {
        return new TerminalAsk(command, workdir, Set.copyOf(secrets), Set.of(), null);
    }
}
