package io.bivouac.agentlink;

import io.bivouac.foundation.encryption.SecretBox;
import io.micronaut.context.BeanProvider;
import io.micronaut.core.annotation.Nullable;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Files;
import java.security.GeneralSecurityException;

/**
 * The installation's authority: the given one, else the one in the database, which the first server makes. All servers
 * of an installation have the same, whether they share a folder or not. Thread-safe.
 */
@Singleton
class RelayAuthority {
    private static final String PLACE = "agent_authority/1/encrypted_key";

    private final AgentSettings settings;
    private final AuthorityRows rows;
    private final BeanProvider<SecretBox> box;
    private @Nullable Authority authority;

    RelayAuthority(AgentSettings settings, AuthorityRows rows, BeanProvider<SecretBox> box) {
        this.settings = settings;
        this.rows = rows;
        this.box = box;
    }

    synchronized Authority get() throws IOException {
        if (authority == null) {
            try {
                authority = settings.getAuthorityCertificate() == null ? stored() : given();
            } catch (GeneralSecurityException unreadable) {
                throw new IOException("the authority of relays cannot be used: " + unreadable.getMessage(), unreadable);
            }
        }
        return authority;
    }

    private Authority given() throws IOException, GeneralSecurityException {
        if (settings.getAuthorityKey() == null) {
            throw new IOException("bivouac.agent.authority-certificate needs bivouac.agent.authority-key");
        }
        return Authority.of(
                Files.readString(settings.getAuthorityCertificate()), Files.readString(settings.getAuthorityKey()));
    }

    private Authority stored() throws IOException, GeneralSecurityException {
        var row = rows.find().orElseGet(this::make);
        return Authority.of(row.certificate(), box.get().open(row.encryptedKey(), PLACE));
    }

    private AuthorityRow make() {
        var made = Authority.make();
        rows.add(made.certificatePem(), box.get().seal(made.keyPem(), PLACE));
        // Of several servers that start at once, one was first.
        return rows.find().orElseThrow();
    }
}
