package io.bivouac.agentlink.testing;

import com.nimbusds.jose.JOSEException;
import io.bivouac.foundation.audit.Audit;
import io.bivouac.foundation.audit.AuditRow;
import io.bivouac.sandboxmodel.SandboxId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A Pod in a folder, guests of an issuer that the test holds, and a relay with a real agent that serves them. */
public final class PodHouse implements AutoCloseable {
    public static final String POD = "https://pod.example/alice/";
    public static final String SESSIONS = "/-/terminal/sessions";
    public static final String PERMISSIONS = "/-/terminal/permissions";

    /** Of the house's sandbox: trusted programs can ask there. */
    private static final String TEMPLATE = "assistant";

    private static final String PREFIXES = """
            @prefix acl: <http://www.w3.org/ns/auth/acl#> .
            @prefix foaf: <http://xmlns.com/foaf/0.1/> .
            @prefix udf: <https://undefineds.co/ns/> .
            """;

    private final SolidIssuer issuer;
    private final Path folder;
    private final TestRelay relay;
    private final SandboxId sandbox;
    private final RealAgent agent;

    private PodHouse(SolidIssuer issuer, Path folder, TestRelay relay) {
        this.issuer = issuer;
        this.folder = folder;
        this.relay = relay;
        this.sandbox = relay.sandbox(TEMPLATE, Map.of("pod", POD));
        this.agent = relay.agent(sandbox);
    }

    /** Alice's own Pod; bob and mallory are there too, and a stranger for whom another issuer vouches. */
    public static PodHouse start(Map<String, Object> more) throws IOException, JOSEException {
        var issuer = SolidIssuer.start();
        for (var name : List.of("alice", "bob", "mallory")) {
            issuer.serve("/" + name, "text/turtle", issuer.profile(issuer.url()));
        }
        issuer.serve("/stranger", "text/turtle", issuer.profile("https://elsewhere.example/"));
        var folder = Files.createTempDirectory("pod");
        var templates = Files.writeString(Files.createTempFile("templates", ".yml"), """
                templates:
                  - {name: %s, roots: {none: host}, hooks: [claude-code, codex, aider]}
                """.formatted(TEMPLATE));
        var settings = new HashMap<String, Object>();
        settings.put("bivouac.solid-allow", "127.0.0.0/8,::1");
        settings.put("bivouac.pods", List.of(POD + "=" + folder));
        settings.put("bivouac.templates", templates.toString());
        settings.put("bivouac.terminal.per-user", 100);
        settings.put("bivouac.permission.look-every", "100ms");
        settings.put("bivouac.refusals-audited", 1000);
        settings.put("bivouac.solid.refusals-audited", 1000);
        settings.putAll(more);
        return new PodHouse(issuer, folder, TestRelay.start(settings));
    }

    public TestRelay relay() {
        return relay;
    }

    public SandboxId sandbox() {
        return sandbox;
    }

    public SolidIssuer issuer() {
        return issuer;
    }

    public String webId(String name) {
        return issuer.url() + name + "#me";
    }

    /** Logged in with a key of their own. */
    public Guest guest(String name) {
        try {
            var key = DpopKey.next();
            var claims = issuer.claims(key).claim("webid", webId(name)).build();
            return new Guest(relay.http().base(), issuer.sign(claims), key);
        } catch (JOSEException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    public void write(String path, String text) throws IOException {
        var file = folder.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    public Path folder() {
        return folder;
    }

    /** The rules of a container's ACL. */
    public void acl(String container, String rules) throws IOException {
        write(container + "/.acl", PREFIXES + rules);
    }

    /** A rule for a guest on a container and what is in it. */
    public String rule(String name, String modes, String limits) {
        return """
                <#%s> a acl:Authorization ; acl:agent <%s> ; acl:accessTo <./> ; acl:default <./> ; acl:mode %s %s .
                """.formatted(
                name, webId(name), modes, limits.isEmpty() ? "" : "; udf:terminalPermissions [ " + limits + " ]");
    }

    /** Alice controls her terminals, and bob has one that works in /tmp. */
    public void letBobIn(String limits) throws IOException {
        acl(".terminal", rule("alice", "acl:Read, acl:Control", "") + rule("bob", "acl:Read, acl:Write", limits));
        acl("tmp", rule("bob", "acl:Read", ""));
    }

    public Map<String, Object> session(Object... more) {
        var request =
                new HashMap<String, Object>(Map.of("sandboxId", sandbox.value(), "command", "cat", "workdir", "/tmp"));
        for (int i = 0; i < more.length; i += 2) {
            request.put((String) more[i], more[i + 1]);
        }
        return request;
    }

    /** Of this project, the newest first. */
    public List<AuditRow> acts() {
        return acts(relay.caller().project());
    }

    public List<AuditRow> acts(String project) {
        return relay.bean(Audit.class).list(project, Long.MAX_VALUE, 100).items();
    }

    @Override
    public void close() {
        agent.close();
        relay.close();
        issuer.close();
    }
}
