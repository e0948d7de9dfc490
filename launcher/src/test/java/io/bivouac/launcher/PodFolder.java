package io.bivouac.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;

/** A Pod as a Solid server lays it out in a folder, with an owner of its own; gone when closed. */
record PodFolder(Path root, String guest) implements AutoCloseable {
    static final String URL = "https://pod.example/alice/";
    static final int OWNER = 4242;

    private static final String PREFIXES = """
            @prefix acl: <http://www.w3.org/ns/auth/acl#> .
            @prefix udf: <https://undefineds.co/ns/> .
            """;

    /** @param guest the WebID of whom its ACLs are about */
    static PodFolder make(String guest) throws IOException {
        var root = Files.createTempDirectory("bivouac-pod");
        Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-x---"));
        Files.setAttribute(root, "unix:uid", OWNER);
        return new PodFolder(root, guest);
    }

    Path file(String path) {
        return root.resolve(path);
    }

    PodFolder put(String path, String text) throws IOException {
        var file = file(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        for (var made = file; made.startsWith(root); made = made.getParent()) {
            Files.setAttribute(made, "unix:uid", OWNER, LinkOption.NOFOLLOW_LINKS);
        }
        return this;
    }

    /** What the guest may do in a container and below, by an ACL of its own: modes after {@code acl:}. */
    PodFolder grant(String container, String modes) throws IOException {
        return put(container + ".acl", modes.isEmpty() ? "" : PREFIXES + """
                        <#guest> a acl:Authorization ; acl:agent <%s> ; acl:accessTo <./> ; acl:default <./> ;
                            acl:mode %s .
                        """.formatted(guest, modes));
    }

    /** The guest may have terminals, as far as these limits go. */
    PodFolder grantTerminals(String limits) throws IOException {
        return put(".terminal/.acl", PREFIXES + """
                <#guest> a acl:Authorization ; acl:agent <%s> ; acl:accessTo <./> ; acl:mode acl:Write ;
                    udf:terminalPermissions [ %s ] .
                """.formatted(guest, limits));
    }

    int ownerOf(String path) throws IOException {
        return (int) Files.getAttribute(file(path), "unix:uid");
    }

    @Override
    public void close() throws IOException {
        try (var all = Files.walk(root)) {
            for (var path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
