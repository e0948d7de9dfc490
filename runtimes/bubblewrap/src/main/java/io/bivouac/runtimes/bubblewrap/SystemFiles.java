package io.bivouac.runtimes.bubblewrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The files of /etc that tell a sandbox who it is; the host's own say nothing of it and too much of the host. */
final class SystemFiles {
    private static final String USER = AgentConfiguration.USER_NAME;
    private static final int ID = AgentConfiguration.USER;

    private SystemFiles() {}

    static void write(Path etc, TemplateRoot root) throws IOException {
        Preparation.make(etc, "rwxr-xr-x");
        var shell = root.shell().orElse("/bin/sh");
        var user = USER + ":x:" + ID + ":" + ID + ":" + USER + ":" + AgentConfiguration.HOME + ":" + shell + "\n";
        var users = root.etc("passwd")
                .orElse("root:x:0:0:root:/root:" + shell
                        + "\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n");
        var groups = root.etc("group").orElse("root:x:0:\nnogroup:x:65534:\n");
        Files.writeString(etc.resolve("passwd"), lines(users) + (has(users, USER) ? "" : user));
        Files.writeString(etc.resolve("group"), lines(groups) + (has(groups, USER) ? "" : USER + ":x:" + ID + ":\n"));
        Files.writeString(etc.resolve("hostname"), SuperviseSpec.HOSTNAME + "\n");
        Files.writeString(
                etc.resolve("hosts"),
                "127.0.0.1 localhost " + SuperviseSpec.HOSTNAME + "\n::1 localhost " + SuperviseSpec.HOSTNAME + "\n");
        // There is no network to ask; programs learn at once that there is no name server.
        Files.writeString(etc.resolve("resolv.conf"), "nameserver 127.0.0.1\noptions timeout:1 attempts:1\n");
        Files.writeString(
                etc.resolve("nsswitch.conf"), "passwd: files\ngroup: files\nhosts: files dns\nprotocols: files\n");
    }

    private static String lines(String text) {
        return text.endsWith("\n") ? text : text + "\n";
    }

    private static boolean has(String text, String name) {
        return text.lines().anyMatch(line -> line.startsWith(name + ":"));
    }
}
