package io.bivouac.embedded;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The command line of the Kafka child: the same Java as ours, as small as a broker runs well in. */
final class KafkaCommand {
    /** The child's class path, when it is to be another than ours. */
    static final String CLASS_PATH_PROPERTY = "bivouac.kafka.classpath";

    /** More options for the child's JVM, separated by spaces. */
    static final String OPTIONS_PROPERTY = "bivouac.kafka.options";

    /** The child's AOT cache: apart from the options, because a path may have spaces in it. */
    static final String CACHE_PROPERTY = "bivouac.kafka.cache";

    /** glibc would give each thread an arena of its own. */
    static final Map<String, String> ENVIRONMENT = Map.of("MALLOC_ARENA_MAX", "2");

    private KafkaCommand() {}

    static List<String> of(Path folder) {
        var command = new ArrayList<>(List.of(
                "setsid",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xms32m",
                "-Xmx128m",
                "-Xss512k",
                "-XX:+UseSerialGC",
                "-XX:MaxMetaspaceSize=96m",
                "-XX:ReservedCodeCacheSize=48m",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-XX:+ExitOnOutOfMemoryError",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Djava.awt.headless=true",
                "-Dlogback.configurationFile=io/bivouac/embedded/kafka-logback.xml"));
        var cache = System.getProperty(CACHE_PROPERTY);
        if (cache != null) {
            command.add("-XX:AOTCache=" + cache);
        }
        var options = System.getProperty(OPTIONS_PROPERTY, "");
        if (!options.isBlank()) {
            command.addAll(List.of(options.strip().split("\\s+")));
        }
        command.addAll(List.of(
                "-cp",
                System.getProperty(CLASS_PATH_PROPERTY, System.getProperty("java.class.path")),
                KafkaProgram.class.getName(),
                folder.toString()));
        return command;
    }
}
