package io.bivouac.http;

import io.bivouac.sandboxmodel.SandboxId;
import io.micronaut.core.convert.ConversionContext;
import io.micronaut.core.convert.TypeConverter;
import jakarta.inject.Singleton;
import java.util.Optional;

/** Reads sandbox ids from paths; what cannot be one is an unknown sandbox, not a malformed request. */
@Singleton
class SandboxIdConverter implements TypeConverter<String, SandboxId> {
    @Override
    public Optional<SandboxId> convert(String text, Class<SandboxId> type, ConversionContext context) {
        return Optional.of(SandboxId.parse(text));
    }
}
