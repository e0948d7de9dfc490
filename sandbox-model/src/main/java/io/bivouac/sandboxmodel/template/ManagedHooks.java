package io.bivouac.sandboxmodel.template;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Programs that are made to behave as a sandbox needs: most to ask a person before they act. The settings lie in /etc,
 * read-only, most where the program looks for an administrator's: neither its user nor a repository can override those.
 */
public enum ManagedHooks {
    CLAUDE_CODE("claude-code", "claude-code/managed-settings.json", "claude-code.json"),
    CODEX("codex", "codex/requirements.toml", "codex.toml"),
    AIDER("aider", "aider/asking.py", "aider.py"),
    /** Asks nobody: has Node's own fetch find the sandbox's proxy. */
    NODE_FETCH("node-fetch", "node-fetch/fetch.cjs", "node-fetch.cjs");

    private final String wireName;
    private final String path;
    private final String text;

    ManagedHooks(String wireName, String path, String resource) {
        this.wireName = wireName;
        this.path = path;
        // Once, and not for each sandbox that is made.
        this.text = read(resource);
    }

    public String wireName() {
        return wireName;
    }

    /** Its own folder in /etc. */
    public String folder() {
        return path.substring(0, path.indexOf('/'));
    }

    public static Optional<ManagedHooks> ofWireName(String name) {
        return Arrays.stream(values())
                .filter(hooks -> hooks.wireName.equals(name))
                .findFirst();
    }

    /** The files of these programs: for each path within /etc its text. */
    public static Map<String, String> files(Collection<ManagedHooks> programs) {
        var files = new TreeMap<String, String>();
        programs.forEach(program -> files.put(program.path, program.text));
        return files;
    }

    private static String read(String resource) {
        try (var stream = ManagedHooks.class.getResourceAsStream("/hooks/" + resource)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }
}
