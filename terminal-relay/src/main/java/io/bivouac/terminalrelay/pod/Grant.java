package io.bivouac.terminalrelay.pod;

import io.bivouac.terminalrelay.acl.Requester;
import io.bivouac.terminalrelay.acl.TerminalAsk;
import io.micronaut.core.annotation.Nullable;
import java.time.Duration;

/**
 * What a Pod's ACL lets somebody have.
 *
 * @param longest how long it may last, where the rule says
 */
public record Grant(
        Pod pod,
        Requester requester,
        TerminalAsk ask,
        @Nullable Duration longest) {}
