package io.bivouac.launcher;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The floor plan: which module may use which. ARCHITECTURE.md draws the same arrows. */
@AnalyzeClasses(
        packages = "io.bivouac",
        importOptions = {DoNotIncludeTests.class, ArchitectureTest.NoFixtures.class})
class ArchitectureTest {
    private static final String AGENT_PROTO = "io.bivouac.agent.v1..";

    @ArchTest
    static final ArchRule modulesUseOnlyWhatThePlanAllows = layeredArchitecture()
            .consideringOnlyDependenciesInAnyPackage("io.bivouac..")
            .layer("events")
            .definedBy("io.bivouac.events..")
            .layer("model")
            .definedBy("io.bivouac.sandboxmodel..")
            .layer("foundation")
            .definedBy("io.bivouac.foundation..")
            .layer("sandboxes")
            .definedBy("io.bivouac.sandboxes..")
            .layer("runtimes")
            .definedBy("io.bivouac.runtimes..")
            .layer("http")
            .definedBy("io.bivouac.http..")
            .layer("identity")
            .definedBy("io.bivouac.identity..")
            .layer("agent link")
            .definedBy("io.bivouac.agentlink..", AGENT_PROTO, "io.bivouac.relay.v1..")
            .layer("sandbox io")
            .definedBy("io.bivouac.sandboxio..")
            .layer("terminals")
            .definedBy("io.bivouac.terminalrelay..")
            .layer("sessions")
            .definedBy("io.bivouac.sessions..")
            .layer("functions")
            .definedBy("io.bivouac.functions..")
            .layer("fronts")
            .definedBy("io.bivouac.fronts..")
            .layer("webhooks")
            .definedBy("io.bivouac.webhooks..")
            .layer("embedded")
            .definedBy("io.bivouac.embedded..")
            .layer("launcher")
            .definedBy("io.bivouac.launcher..")
            .whereLayer("events")
            .mayNotAccessAnyLayer()
            .whereLayer("model")
            .mayOnlyAccessLayers("events")
            .whereLayer("foundation")
            .mayOnlyAccessLayers("events", "model")
            .whereLayer("sandboxes")
            .mayOnlyAccessLayers("events", "model", "foundation")
            .whereLayer("runtimes")
            .mayOnlyAccessLayers("model")
            .whereLayer("http")
            .mayOnlyAccessLayers("model", "foundation")
            .whereLayer("identity")
            .mayOnlyAccessLayers("model", "foundation", "http")
            .whereLayer("agent link")
            .mayOnlyAccessLayers("events", "model", "foundation", "sandboxes")
            .whereLayer("sandbox io")
            .mayOnlyAccessLayers("events", "model", "foundation", "sandboxes", "http", "agent link")
            .whereLayer("terminals")
            .mayOnlyAccessLayers(
                    "events", "model", "foundation", "sandboxes", "http", "identity", "agent link", "sandbox io")
            .whereLayer("sessions")
            .mayOnlyAccessLayers(
                    "events",
                    "model",
                    "foundation",
                    "sandboxes",
                    "http",
                    "identity",
                    "agent link",
                    "sandbox io",
                    "terminals")
            .whereLayer("functions")
            .mayOnlyAccessLayers("events", "model", "foundation", "sandboxes", "http")
            .whereLayer("fronts")
            .mayOnlyAccessLayers("model", "foundation", "sandboxes", "http", "sandbox io")
            .whereLayer("webhooks")
            .mayOnlyAccessLayers("events", "model", "foundation", "http")
            .whereLayer("embedded")
            .mayNotAccessAnyLayer()
            .ensureAllClassesAreContainedInArchitecture();

    @ArchTest
    static final ArchRule packagesAreFreeOfCycles =
            slices().matching("io.bivouac.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule theModelHasNoFramework = classes()
            .that()
            .resideInAPackage("io.bivouac.sandboxmodel..")
            .and(areWrittenByHand())
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "java..",
                    // The machine's memory, of the JDK as well.
                    "com.sun.management..",
                    "io.bivouac..",
                    "io.micronaut.core.annotation..",
                    "io.micronaut.serde.annotation..",
                    "io.micronaut.serde.config.naming..");

    @ArchTest
    static final ArchRule whatIsBelowTheServicesKnowsNoHttp = noClasses()
            .that()
            .resideInAnyPackage(
                    "io.bivouac.events..",
                    "io.bivouac.sandboxmodel..",
                    "io.bivouac.foundation..",
                    "io.bivouac.sandboxes..",
                    "io.bivouac.runtimes..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.micronaut.http..", "io.netty..", "io.grpc..");

    @ArchTest
    static final ArchRule functionsAndWebhooksDoNotSpeakToAgents = noClasses()
            .that()
            .resideInAnyPackage("io.bivouac.functions..", "io.bivouac.webhooks..", "io.bivouac.sandboxes..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(AGENT_PROTO);

    @ArchTest
    static final ArchRule runtimesDoNotKnowEachOther =
            slices().matching("io.bivouac.runtimes.(*)..").should().notDependOnEachOther();

    @ArchTest
    static final ArchRule packagesAreNamedAfterFeatures = noClasses()
            .should()
            .resideInAnyPackage("..dto..", "..util..", "..utils..", "..common..", "..impl..", "..helpers..");

    /** The fixtures of other modules come in jars of their own. */
    static final class NoFixtures implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.contains("-tests.jar");
        }
    }

    /** Bean definitions and serializers are generated beside the classes they are for. */
    private static DescribedPredicate<JavaClass> areWrittenByHand() {
        return DescribedPredicate.describe(
                "are written by hand", type -> !type.getName().contains("$"));
    }
}
