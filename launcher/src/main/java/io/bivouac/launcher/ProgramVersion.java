package io.bivouac.launcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of this program, as the build wrote it down. */
final class ProgramVersion {
    private ProgramVersion() {}

    static String current() {
        try (var in = ProgramVersion.class.getResourceAsStream("version.properties")) {
            var properties = new Properties();
            properties.load(in);
            return properties.getProperty("version");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
