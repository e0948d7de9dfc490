package io.bivouac.sessions.pod;

import io.bivouac.sessions.acl.Requester;
import io.bivouac.sessions.acl.TerminalAsk;
import io.micronaut.core.annotation.Nullable;
import java.time.Duration;
import java.util.Set;

/**
 * What a Pod's ACL lets somebody have.
 *
 * @param within the containers that the session is confined to; null where a rule that grants it sets no such bound
 * @param longest how long it may last, where the rule says
 * @param byCommand whether it is granted because of the command's name
 */
public record Grant(
        Pod pod,
        Requester requester,
        TerminalAsk ask,
        @Nullable Set<String> within,
        @Nullable Duration longest,
        boolean byCommand) {}
