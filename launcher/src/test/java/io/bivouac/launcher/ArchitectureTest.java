package io.bivouac.launcher;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The rules of the house: which room may know which. */
@AnalyzeClasses(packages = "io.bivouac", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String EVENTS = "io.bivouac.events..";
    private static final String SANDBOXES = "io.bivouac.sandboxes..";
    private static final String RUNTIMES = "io.bivouac.runtimes..";
    private static final String DOORS = "io.bivouac.http..";
    private static final String FUNCTIONS = "io.bivouac.functions..";
    private static final String RELAY = "io.bivouac.terminalrelay..";
    private static final String WEBHOOKS = "io.bivouac.webhooks..";
    private static final String EMBEDDED = "io.bivouac.embedded..";
    private static final String LAUNCHER = "io.bivouac.launcher..";

    @ArchTest
    static final ArchRule eventsKnowNobody = noClasses()
            .that()
            .resideInAPackage(EVENTS)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    SANDBOXES, RUNTIMES, DOORS, FUNCTIONS, RELAY, WEBHOOKS, EMBEDDED, LAUNCHER, "io.micronaut.http..");

    @ArchTest
    static final ArchRule sandboxesKnowNoServiceNoRuntimeAndNoHttp = noClasses()
            .that()
            .resideInAPackage(SANDBOXES)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    RUNTIMES,
                    DOORS,
                    FUNCTIONS,
                    RELAY,
                    WEBHOOKS,
                    EMBEDDED,
                    LAUNCHER,
                    "io.micronaut.http..",
                    "io.netty..",
                    "io.grpc..");

    @ArchTest
    static final ArchRule runtimesKnowNoService = noClasses()
            .that()
            .resideInAPackage(RUNTIMES)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(DOORS, FUNCTIONS, RELAY, WEBHOOKS, EMBEDDED, LAUNCHER, "io.micronaut.http..");

    @ArchTest
    static final ArchRule runtimesDoNotKnowEachOther =
            slices().matching("io.bivouac.runtimes.(*)..").should().notDependOnEachOther();

    @ArchTest
    static final ArchRule theDoorsKnowNoServiceAndNoRuntime = noClasses()
            .that()
            .resideInAPackage(DOORS)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(RUNTIMES, FUNCTIONS, RELAY, WEBHOOKS, EMBEDDED, LAUNCHER);

    @ArchTest
    static final ArchRule functionsKnowNeitherRelayNorRuntimes = noClasses()
            .that()
            .resideInAPackage(FUNCTIONS)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(RELAY, WEBHOOKS, RUNTIMES, EMBEDDED, LAUNCHER);

    @ArchTest
    static final ArchRule theRelayKnowsNeitherFunctionsNorRuntimes = noClasses()
            .that()
            .resideInAPackage(RELAY)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(FUNCTIONS, WEBHOOKS, RUNTIMES, EMBEDDED, LAUNCHER);

    @ArchTest
    static final ArchRule webhooksKnowNoOtherServiceAndNoRuntime = noClasses()
            .that()
            .resideInAPackage(WEBHOOKS)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(FUNCTIONS, RELAY, RUNTIMES, EMBEDDED, LAUNCHER);

    @ArchTest
    static final ArchRule packagesAreNamedAfterWhatTheyDo = noClasses()
            .should()
            .resideInAnyPackage("..dto..", "..util..", "..utils..", "..common..", "..impl..", "..helpers..");
}
