import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;

/**
 * Jars whose manifest seals their packages, which a cache cannot hold once the distribution is moved: the JVM takes a
 * cached class's jar from where it lay at the training, finds none there, defines the class's package without a place,
 * and refuses the package's second class as a breach of the seal.
 */
final class SealedJars {
    private SealedJars() {}

    /** Rewrites each sealed jar of a folder without the seal; its time stays, so that Maven does not copy it again. */
    static void unseal(Path folder) throws IOException {
        try (var jars = Files.newDirectoryStream(folder, "*.jar")) {
            for (Path jar : jars) {
                if (isSealed(jar)) {
                    rewrite(jar);
                }
            }
        }
    }

    private static boolean isSealed(Path jar) throws IOException {
        try (var file = new JarFile(jar.toFile())) {
            var manifest = file.getManifest();
            return manifest != null
                    && (seals(manifest.getMainAttributes())
                            || manifest.getEntries().values().stream().anyMatch(SealedJars::seals));
        }
    }

    private static boolean seals(Attributes attributes) {
        return "true".equalsIgnoreCase(attributes.getValue(Attributes.Name.SEALED));
    }

    private static void rewrite(Path jar) throws IOException {
        var time = Files.getLastModifiedTime(jar);
        var unsealed = jar.resolveSibling(jar.getFileName() + ".unsealed");
        try (var from = new JarFile(jar.toFile())) {
            var manifest = from.getManifest();
            manifest.getMainAttributes().remove(Attributes.Name.SEALED);
            manifest.getEntries().values().forEach(entry -> entry.remove(Attributes.Name.SEALED));
            try (var to = new JarOutputStream(Files.newOutputStream(unsealed))) {
                to.putNextEntry(new ZipEntry(JarFile.MANIFEST_NAME));
                manifest.write(to);
                for (var entry : from.stream().toList()) {
                    if (!entry.getName().equals(JarFile.MANIFEST_NAME)) {
                        copy(from, entry, to);
                    }
                }
            }
        }
        Files.move(unsealed, jar, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        Files.setLastModifiedTime(jar, time);
    }

    private static void copy(JarFile from, ZipEntry entry, JarOutputStream to) throws IOException {
        var copied = new ZipEntry(entry.getName());
        copied.setLastModifiedTime(entry.getLastModifiedTime());
        to.putNextEntry(copied);
        from.getInputStream(entry).transferTo(to);
    }
}
