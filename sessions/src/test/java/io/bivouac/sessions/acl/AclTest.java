package io.bivouac.sessions.acl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.bivouac.foundation.access.Visitor;
import io.bivouac.identity.turtle.BadTurtle;
import io.bivouac.identity.turtle.Turtle;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What ACLs grant, row by row: the ACL of a container, who asks about what, and the modes they get. */
class AclTest {
    private static final String BASE = "https://pod.example/alice/";
    private static final String OWNER = BASE + "notes/";
    private static final String AGENT = "https://pod.example/agent#me";
    private static final String PREFIXES = """
            @prefix acl: <http://www.w3.org/ns/auth/acl#> .
            @prefix foaf: <http://xmlns.com/foaf/0.1/> .
            @prefix udf: <https://undefineds.co/ns/> .
            """;

    private static final Requester PROGRAM = from(null, false);

    private static Requester from(String origin, boolean trusted) {
        return new Requester(new Visitor(AGENT, "https://app.example/id", "https://idp.example/"), origin, trusted);
    }

    /** A rule with these lines beside its type. */
    private static String rule(String... lines) {
        return "<#rule> a acl:Authorization ;\n" + String.join(" ;\n", lines) + " .\n";
    }

    private static final String ABOUT = "acl:accessTo <./>";
    private static final String BELOW = "acl:default <./>";
    private static final String WHO = "acl:agent <" + AGENT + ">";
    private static final String READ = "acl:mode acl:Read";

    static Stream<Arguments> rows() {
        return Stream.of(
                arguments("an agent", rule(ABOUT, WHO, READ), OWNER, PROGRAM, "READ"),
                arguments(
                        "all modes",
                        rule(ABOUT, WHO, "acl:mode acl:Read, acl:Write, acl:Control"),
                        OWNER,
                        PROGRAM,
                        "READ WRITE CONTROL"),
                arguments(
                        "somebody else",
                        rule(ABOUT, "acl:agent <https://pod.example/other#me>", READ),
                        OWNER,
                        PROGRAM,
                        ""),
                arguments("nobody named", rule(ABOUT, READ), OWNER, PROGRAM, ""),
                arguments("everyone", rule(ABOUT, "acl:agentClass foaf:Agent", READ), OWNER, PROGRAM, "READ"),
                arguments(
                        "all who log in",
                        rule(ABOUT, "acl:agentClass acl:AuthenticatedAgent", READ),
                        OWNER,
                        PROGRAM,
                        "READ"),
                arguments(
                        "an unknown class",
                        rule(ABOUT, "acl:agentClass <https://x.example/Robots>", READ),
                        OWNER,
                        PROGRAM,
                        ""),
                arguments(
                        "a group of theirs",
                        rule(ABOUT, "acl:agentGroup <https://g.example/#mine>", READ),
                        OWNER,
                        PROGRAM,
                        "READ"),
                arguments(
                        "another group",
                        rule(ABOUT, "acl:agentGroup <https://g.example/#others>", READ),
                        OWNER,
                        PROGRAM,
                        ""),
                arguments("accessTo is not for members", rule(ABOUT, WHO, READ), OWNER + "a.txt", PROGRAM, ""),
                arguments("default is for members", rule(BELOW, WHO, READ), OWNER + "a.txt", PROGRAM, "READ"),
                arguments("default is for members' members", rule(BELOW, WHO, READ), OWNER + "b/c", PROGRAM, "READ"),
                arguments("default is not for itself", rule(BELOW, WHO, READ), OWNER, PROGRAM, ""),
                arguments("both", rule(ABOUT, BELOW, WHO, READ), OWNER + "a.txt", PROGRAM, "READ"),
                arguments(
                        "another container's default",
                        rule("acl:default </alice/>", WHO, READ),
                        OWNER + "a.txt",
                        PROGRAM,
                        ""),
                arguments(
                        "accessTo of a member", rule("acl:accessTo <a.txt>", WHO, READ), OWNER + "a.txt", PROGRAM, ""),
                arguments("about nothing", rule(WHO, READ), OWNER, PROGRAM, ""),
                arguments("no mode", rule(ABOUT, WHO), OWNER, PROGRAM, ""),
                arguments(
                        "an unknown mode", rule(ABOUT, WHO, "acl:mode acl:Everything, udf:Write"), OWNER, PROGRAM, ""),
                arguments(
                        "an unknown mode beside a known one",
                        rule(ABOUT, WHO, "acl:mode acl:Append, udf:Write"),
                        OWNER,
                        PROGRAM,
                        "APPEND"),
                arguments(
                        "a mode as text",
                        rule(ABOUT, WHO, "acl:mode \"http://www.w3.org/ns/auth/acl#Write\""),
                        OWNER,
                        PROGRAM,
                        ""),
                arguments("an agent as text", rule(ABOUT, "acl:agent \"" + AGENT + "\"", READ), OWNER, PROGRAM, ""),
                arguments("no authorization", "<#rule> " + ABOUT + "; " + WHO + "; " + READ + " .", OWNER, PROGRAM, ""),
                arguments("a foreign property", rule(ABOUT, WHO, READ, "udf:grants acl:Write"), OWNER, PROGRAM, "READ"),
                arguments(
                        "a page that is named",
                        rule(ABOUT, WHO, READ, "acl:origin <https://app.example>"),
                        OWNER,
                        from("https://app.example", false),
                        "READ"),
                arguments(
                        "a page named with a slash",
                        rule(ABOUT, WHO, READ, "acl:origin <https://app.example/>"),
                        OWNER,
                        from("https://app.example", false),
                        "READ"),
                arguments(
                        "a page that is not named",
                        rule(ABOUT, WHO, READ, "acl:origin <https://app.example>"),
                        OWNER,
                        from("https://evil.example", false),
                        ""),
                arguments(
                        "not even a trusted one",
                        rule(ABOUT, WHO, READ, "acl:origin <https://app.example>"),
                        OWNER,
                        from("https://ours.example", true),
                        ""),
                arguments(
                        "pages are named, a program asks",
                        rule(ABOUT, WHO, READ, "acl:origin <https://app.example>"),
                        OWNER,
                        PROGRAM,
                        ""),
                arguments(
                        "pages named as text still count",
                        rule(ABOUT, WHO, READ, "acl:origin \"https://app.example\""),
                        OWNER,
                        from("https://evil.example", false),
                        ""),
                arguments("no page is named", rule(ABOUT, WHO, READ), OWNER, from("https://evil.example", false), ""),
                arguments(
                        "no page is named, a trusted one asks",
                        rule(ABOUT, WHO, READ),
                        OWNER,
                        from("https://ours.example", true),
                        "READ"),
                arguments(
                        "everyone from any page",
                        rule(ABOUT, "acl:agentClass foaf:Agent", READ),
                        OWNER,
                        from("https://evil.example", false),
                        "READ"),
                arguments(
                        "only a page, no agent",
                        rule(ABOUT, READ, "acl:origin <https://app.example>"),
                        OWNER,
                        from("https://app.example", false),
                        ""),
                arguments(
                        "their client",
                        rule(
                                ABOUT,
                                WHO,
                                READ,
                                "acl:condition [ a acl:ClientCondition ; acl:client <https://app.example/id> ]"),
                        OWNER,
                        PROGRAM,
                        "READ"),
                arguments(
                        "another client",
                        rule(
                                ABOUT,
                                WHO,
                                READ,
                                "acl:condition [ a acl:ClientCondition ; acl:client <https://other.example/id> ]"),
                        OWNER,
                        PROGRAM,
                        ""),
                arguments(
                        "their issuer",
                        rule(
                                ABOUT,
                                WHO,
                                READ,
                                "acl:condition [ a acl:IssuerCondition ; acl:issuer <https://idp.example/> ]"),
                        OWNER,
                        PROGRAM,
                        "READ"),
                arguments(
                        "one of two conditions fails",
                        rule(
                                ABOUT,
                                WHO,
                                READ,
                                "acl:condition [ a acl:IssuerCondition ; acl:issuer <https://idp.example/> ],"
                                        + " [ a acl:ClientCondition ; acl:client <https://other.example/id> ]"),
                        OWNER,
                        PROGRAM,
                        ""),
                arguments(
                        "an unknown condition",
                        rule(ABOUT, WHO, READ, "acl:condition [ a udf:FullMoon ]"),
                        OWNER,
                        PROGRAM,
                        ""),
                arguments(
                        "more than is understood",
                        rule(
                                ABOUT,
                                WHO,
                                READ,
                                "acl:condition [ a acl:ClientCondition ; acl:client <https://app.example/id> ;"
                                        + " udf:hour 12 ]"),
                        OWNER,
                        PROGRAM,
                        ""),
                arguments(
                        "a condition elsewhere",
                        rule(ABOUT, WHO, READ, "acl:condition <https://x.example/c>"),
                        OWNER,
                        PROGRAM,
                        ""),
                arguments(
                        "a condition as text", rule(ABOUT, WHO, READ, "acl:condition \"always\""), OWNER, PROGRAM, ""));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    void grants(String name, String acl, String resource, Requester requester, String modes) throws BadTurtle {
        var expected = Arrays.stream(modes.split(" "))
                .filter(mode -> !mode.isEmpty())
                .map(Mode::valueOf)
                .collect(Collectors.toSet());
        assertThat(Acl.modesOf(rules(acl, resource, requester))).isEqualTo(expected);
    }

    static List<Rule> rules(String acl, String resource, Requester requester) throws BadTurtle {
        var statements = Turtle.parse((PREFIXES + acl).getBytes(StandardCharsets.UTF_8), OWNER + ".acl");
        return AclReader.read(statements, OWNER, new PodPaths(BASE))
                .rulesFor(resource, requester, Set.of("https://g.example/#mine")::contains);
    }

    /** How a rule for the container is narrowed, and whether it then admits a terminal. */
    static Stream<Arguments> limits() {
        var plain = new TerminalAsk("claude", "/github/site/", Set.of(), Set.of("LC_ALL", "GITHUB_TOKEN"), null);
        var home = new TerminalAsk("claude", "/github/", Set.of(), Set.of("HOME"), null);
        var shell = new TerminalAsk(null, "/github/site/", Set.of(), Set.of(), null);
        var withSecret = new TerminalAsk("claude", "/github/", Set.of("/.secrets/a.json"), Set.of(), null);
        var anHour = new TerminalAsk("claude", "/github/", Set.of(), Set.of(), java.time.Duration.ofHours(1));
        var path = new TerminalAsk("claude", "/github/", Set.of(), Set.of("PATH"), null);
        var preload = new TerminalAsk("claude", "/github/", Set.of(), Set.of("LD_PRELOAD"), null);
        return Stream.of(
                arguments("no limits", "", plain, true),
                arguments("no limits list no secret", "", withSecret, false),
                arguments("a path on the server", "[ udf:allowedWorkdirs \"/alice/github/\" ]", plain, true),
                arguments("a path in the Pod", "[ udf:allowedWorkdirs \"/github\" ]", plain, true),
                arguments("a whole address", "[ udf:allowedWorkdirs <" + BASE + "github/> ]", plain, true),
                arguments("one of several", "[ udf:allowedWorkdirs \"/a/\", \"/github/site/\" ]", plain, true),
                arguments("another folder", "[ udf:allowedWorkdirs \"/alice/workspace/\" ]", plain, false),
                arguments("a folder of a longer name", "[ udf:allowedWorkdirs \"/alice/git\" ]", plain, false),
                arguments("a folder inside", "[ udf:allowedWorkdirs \"/alice/github/site/deep/\" ]", plain, false),
                arguments("a step back", "[ udf:allowedWorkdirs \"/alice/x/../github/\" ]", plain, false),
                arguments("another Pod", "[ udf:allowedWorkdirs <https://pod.example/bob/github/> ]", plain, false),
                arguments("no whole path", "[ udf:allowedWorkdirs \"github/\" ]", plain, false),
                arguments("a command", "[ udf:allowedCommands \"claude\", \"codex\" ]", plain, true),
                arguments("another command", "[ udf:allowedCommands \"codex\" ]", plain, false),
                arguments("commands, but a shell", "[ udf:allowedCommands \"claude\" ]", shell, false),
                arguments("commands, but another PATH", "[ udf:allowedCommands \"claude\" ]", path, false),
                arguments("commands, but a preload", "[ udf:allowedCommands \"claude\" ]", preload, false),
                arguments("commands, but a home", "[ udf:allowedCommands \"claude\" ]", home, false),
                arguments("a home, and any command", "[ udf:allowedWorkdirs \"/github/\" ]", home, true),
                arguments("a secret", "[ udf:injectSecrets \"/.secrets/a.json\" ]", withSecret, true),
                arguments(
                        "a secret by its address",
                        "[ udf:injectSecrets <" + BASE + ".secrets/a.json> ]",
                        withSecret,
                        true),
                arguments("another secret", "[ udf:injectSecrets \"/.secrets/b.json\" ]", withSecret, false),
                arguments("long enough", "[ udf:maxSessionDuration 3600 ]", anHour, true),
                arguments("too short", "[ udf:maxSessionDuration 3599 ]", anHour, false),
                arguments("the shorter counts", "[ udf:maxSessionDuration 60, 7200 ]", anHour, false),
                arguments("no number", "[ udf:maxSessionDuration \"long\" ]", plain, false),
                arguments("less than nothing", "[ udf:maxSessionDuration -1 ]", plain, false),
                arguments("a limit that is not known", "[ udf:onlyOnMondays true ]", plain, false),
                arguments("limits elsewhere", "<https://x.example/limits>", plain, false),
                arguments("limits as text", "\"none\"", plain, false),
                arguments(
                        "two limits, both hold",
                        "[ udf:allowedCommands \"claude\" ], [ udf:allowedWorkdirs \"/github/\" ]",
                        plain,
                        true),
                arguments(
                        "two limits, one holds",
                        "[ udf:allowedCommands \"codex\" ], [ udf:allowedWorkdirs \"/github/\" ]",
                        plain,
                        false),
                arguments(
                        "a secret that one of two limits lists",
                        "[ udf:injectSecrets \"/.secrets/a.json\" ], [ udf:allowedWorkdirs \"/github/\" ]",
                        withSecret,
                        false));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("limits")
    void narrows(String name, String limits, TerminalAsk ask, boolean admitted) throws BadTurtle {
        var lines = limits.isEmpty()
                ? new String[] {ABOUT, WHO, READ}
                : new String[] {ABOUT, WHO, READ, "udf:terminalPermissions " + limits};
        var rules = rules(rule(lines), OWNER, PROGRAM);
        assertThat(rules).hasSize(1);
        assertThat(rules.getFirst().objection(ask).isEmpty()).isEqualTo(admitted);
    }

    @ParameterizedTest
    @MethodSource("paths")
    void aPathMeansWhatItSays(String path, boolean clean) {
        assertThat(PodPaths.clean(path).isPresent()).isEqualTo(clean);
    }

    static Stream<Arguments> paths() {
        return Stream.of(
                arguments("/", true),
                arguments("/a/b c/ü", true),
                arguments("a", false),
                arguments("/a/../b", false),
                arguments("/a/.", false),
                arguments("/a//b", false),
                arguments("/a%2e%2e/b", false),
                arguments("/a\\b", false),
                arguments("/a?b", false),
                arguments("/a#b", false),
                arguments("/a\0b", false),
                arguments("/" + "a".repeat(2000), false));
    }
}
