package io.bivouac.runtimes.bubblewrap;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The files of /etc that tell a sandbox who it is; the host's own say nothing of it and too much of the host. */
final class SystemFiles {
    private static final String USER = AgentConfiguration.USER_NAME;
    private static final int ID = AgentConfiguration.USER;

    /** Of the host's /etc: what its programs need to run. Each is a mount of its own, which takes time. */
    static final List<String> OF_THE_HOST = List.of("alternatives", "ld.so.cache", "pki", "ssl");

    private SystemFiles() {}

    /** Those that this host has. */
    static List<Path> ofThisHost() {
        return OF_THE_HOST.stream()
                .map(name -> Path.of("/etc", name))
                .filter(Files::exists)
                .toList();
    }

    static Map<String, String> of(TemplateRoot root) {
        var shell = root.shell().orElse("/bin/sh");
        var user = USER + ":x:" + ID + ":" + ID + ":" + USER + ":" + AgentConfiguration.HOME + ":" + shell + "\n";
        var users = root.etc("passwd")
                .orElse("root:x:0:0:root:/root:" + shell
                        + "\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n");
        var groups = root.etc("group").orElse("root:x:0:\nnogroup:x:65534:\n");
        var files = new TreeMap<String, String>();
        files.put("passwd", lines(users) + (has(users, USER) ? "" : user));
        files.put("group", lines(groups) + (has(groups, USER) ? "" : USER + ":x:" + ID + ":\n"));
        files.put("hostname", SuperviseSpec.HOSTNAME + "\n");
        files.put(
                "hosts",
                "127.0.0.1 localhost " + SuperviseSpec.HOSTNAME + "\n::1 localhost " + SuperviseSpec.HOSTNAME + "\n");
        // There is no network to ask; programs learn at once that there is no name server.
        files.put("resolv.conf", "nameserver 127.0.0.1\noptions timeout:1 attempts:1\n");
        files.put("nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\nprotocols: files\n");
        return files;
    }

    private static String lines(String text) {
        return text.endsWith("\n") ? text : text + "\n";
    }

    private static boolean has(String text, String name) {
        return text.lines().anyMatch(line -> line.startsWith(name + ":"));
    }
}
