package io.bivouac.agentlink;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;

/** The installation's authority as it is stored. */
@MappedEntity("agent_authority")
record AuthorityRow(@Id int id, String certificate, byte[] encryptedKey) {}
