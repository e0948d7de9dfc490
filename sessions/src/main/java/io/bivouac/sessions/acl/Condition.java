package io.bivouac.sessions.acl;

import java.util.Set;

/** What must hold beside everything else for a rule to apply. */
public sealed interface Condition {
    boolean holdsFor(Requester requester);

    /** They use one of these programs. */
    record ByClient(Set<String> clients) implements Condition {
        @Override
        public boolean holdsFor(Requester requester) {
            return clients.contains(requester.visitor().client());
        }
    }

    /** One of these vouches for them. */
    record ByIssuer(Set<String> issuers) implements Condition {
        @Override
        public boolean holdsFor(Requester requester) {
            return issuers.contains(requester.visitor().issuer());
        }
    }

    /** One that is not understood here. */
    record Unknown() implements Condition {
        @Override
        public boolean holdsFor(Requester requester) {
            return false;
        }
    }
}
