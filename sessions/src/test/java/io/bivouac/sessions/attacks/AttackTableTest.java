package io.bivouac.sessions.attacks;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.agentlink.testing.PodHouse;
import io.bivouac.agentlink.testing.Wait;
import io.bivouac.foundation.access.Projects;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each attack is refused as the table says, and leaves a row of the audit. */
class AttackTableTest {
    /** That may wait in one sandbox. */
    static final int QUESTIONS = 4;

    private static final Path TABLE = Path.of("../docs/attacks.md");

    private static PodHouse house;

    @BeforeAll
    static void start() throws Exception {
        house = PodHouse.start(Map.of(
                "bivouac.permission.per-sandbox",
                QUESTIONS,
                "bivouac.origins",
                TicketAttacks.PAGES,
                "bivouac.pod.templates",
                "default,node:20"));
    }

    @AfterAll
    static void stop() {
        house.close();
    }

    static List<Attack> attacks() {
        return Stream.of(
                        TokenAttacks.all(),
                        TicketAttacks.all(),
                        AclAttacks.all(),
                        PathAttacks.all(),
                        FileAttacks.all(),
                        LaunchAttacks.all(),
                        HookAttacks.all(),
                        FrameAttacks.all())
                .flatMap(List::stream)
                .toList();
    }

    /** The newest acts of all projects: each act's place in its chain, and its name. */
    private static Map<String, String> acts() {
        var acts = new HashMap<String, String>();
        for (var project : house.relay()
                .bean(Projects.class)
                .list(house.relay().caller(), null, 20)
                .items()) {
            house.acts(project.id()).forEach(row -> acts.put(project.id() + "/" + row.sequence(), row.action()));
        }
        return acts;
    }

    @ParameterizedTest
    @MethodSource("attacks")
    void isRefusedAndWrittenDown(Attack attack) throws Exception {
        var before = acts();
        assertThat(attack.act().on(house)).isEqualTo(attack.answer());
        Wait.until(
                () -> acts().entrySet().stream()
                        .anyMatch(act -> act.getValue().equals(attack.audit()) && !before.containsKey(act.getKey())),
                () -> "no " + attack.audit());
    }

    @Test
    void theTableOfTheDocumentationIsThisOne() throws IOException {
        assertThat(attacks()).hasSizeGreaterThanOrEqualTo(40);
        var documented = Files.readAllLines(TABLE).stream()
                .filter(line -> line.startsWith("| ") && !line.startsWith("| theme"))
                .toList();
        assertThat(documented).isEqualTo(attacks().stream().map(Attack::line).toList());
    }
}
