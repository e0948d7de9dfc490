package io.bivouac.launcher;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What was asked for on the command line. */
sealed interface CommandLine {
    /** @param services names separated by commas; empty for what the settings say */
    record Start(Optional<Path> config, Optional<String> services) implements CommandLine {}

    /** Looks at the machine, and starts nothing. */
    record Doctor(Optional<Path> config, boolean json) implements CommandLine {}

    /** Builds, lists or removes templates of the data folder. */
    record Template(Optional<Path> config, Act act, String what, boolean again, boolean json) implements CommandLine {
        enum Act {
            BUILD,
            LIST,
            RM
        }
    }

    record Help() implements CommandLine {}

    record Version() implements CommandLine {}

    /** An option that we do not know; nothing is started. */
    record Wrong(String message) implements CommandLine {}

    String HELP = """
            Usage: bivouac-server [doctor [--json]] [--config FILE] [--services=LIST] [--help] [--version]
                   bivouac-server template build NAME | FILE.yml [--again] [--json]
                   bivouac-server template list [--json]
                   bivouac-server template rm NAME

            Starts Bivouac on this machine, with a PostgreSQL and a Kafka of its own.
            With --services it runs only some of them: functions, relay, webhooks (all by default).
            With doctor it only looks at the machine: what is fine, what is wrong, and what mends it.
            With template it builds, lists or removes templates; a server that runs takes them at once.

            Settings, by environment or as keys of the YAML file given by --config
            (BIVOUAC_DATA_DIR and data-dir are the same key):
              BIVOUAC_HOST             address to listen on (127.0.0.1)
              BIVOUAC_PORT             port to listen on (8080; 0 = any free one)
              BIVOUAC_PUBLIC_URL       address that clients use, if it is another
              BIVOUAC_GATEWAY_PORT     port for the ports of sandboxes (8081, or another where that is in use)
              BIVOUAC_GATEWAY_URL      address that clients of the gateway use, if it is another
              BIVOUAC_PREVIEW_DOMAIN   gives each port of a sandbox a host: {port}-{id}.DOMAIN
              BIVOUAC_DATA_DIR         where data is kept (/var/lib/bivouac as root, else ~/.local/share/bivouac)
              BIVOUAC_API_KEY          the first project's admin key (made, printed once and stored when unset)
              BIVOUAC_TOKEN_KEY        what sandboxes' tokens are derived from (made and stored when unset)
              BIVOUAC_ENCRYPTION_KEY   what secrets are encrypted with in the database (made and stored when unset)
              BIVOUAC_RUNTIME          bubblewrap (the default) or docker
              BIVOUAC_DATABASE_URL     postgresql://user:password@host:port/db, instead of the embedded one
              BIVOUAC_DATABASE_PORT    port of the embedded PostgreSQL (any free one)
              BIVOUAC_KAFKA_BOOTSTRAP  host:port of a Kafka, instead of the embedded one
              BIVOUAC_KAFKA_PROPERTIES file with client properties for that Kafka (login, TLS)
              BIVOUAC_KAFKA_PORT       port of the embedded Kafka (any free one)
              BIVOUAC_WEBHOOK_ALLOW    networks that webhooks may reach besides the public ones (CIDRs)
              BIVOUAC_SOLID_ALLOW      the same for WebIDs and their issuers
              BIVOUAC_ORIGINS          web origins whose pages may use the API and open terminals
              BIVOUAC_NFS              embedded (the default), system (the host's NFS server) or off
              BIVOUAC_NFS_HOST         address that NFS listens on (127.0.0.1)
              BIVOUAC_NFS_PORT         its port (2049 or the next free one)
              BIVOUAC_NFS_ALLOW        networks that may mount workspaces (CIDRs; this machine alone)
              BIVOUAC_NFS_ASYNC        true: answer before data is on the disk (false)
              BIVOUAC_SERVICES         functions, relay, webhooks: those that this process runs (all)
              BIVOUAC_TLS_CERT, _KEY   PEM files: serve HTTPS
              BIVOUAC_LOG              file (<data>/logs/server.log) or stdout
            """;

    static CommandLine parse(List<String> arguments) {
        Optional<Path> config = Optional.empty();
        Optional<String> services = Optional.empty();
        boolean doctor = false;
        boolean again = false;
        List<String> template = new ArrayList<>();
        boolean json = false;
        for (Iterator<String> rest = arguments.iterator(); rest.hasNext(); ) {
            String argument = rest.next();
            switch (argument) {
                case "--help", "-h" -> {
                    return new Help();
                }
                case "--version" -> {
                    return new Version();
                }
                case "doctor", "--doctor" -> doctor = true;
                case "--json" -> json = true;
                case "--again" -> again = true;
                case "--config" -> {
                    if (!rest.hasNext()) {
                        return new Wrong("--config needs a file, as in: bivouac-server --config bivouac.yml");
                    }
                    config = Optional.of(Path.of(rest.next()));
                }
                case "--services" -> {
                    if (!rest.hasNext()) {
                        return new Wrong("--services needs names, as in: bivouac-server --services=functions,relay");
                    }
                    services = Optional.of(rest.next());
                }
                case String word
                when word.startsWith("--services=") -> services = Optional.of(word.substring("--services=".length()));
                case String word
                when word.equals("template") || (!template.isEmpty() && !word.startsWith("-")) -> template.add(word);
                default -> {
                    return new Wrong("Unknown option %s. Try: bivouac-server --help".formatted(argument));
                }
            }
        }
        if (!template.isEmpty()) {
            return template(template, config, again, json);
        }
        if (again) {
            return new Wrong("--again belongs to template build, as in: bivouac-server template build NAME --again");
        }
        if (json && !doctor) {
            return new Wrong("--json belongs to doctor, as in: bivouac-server doctor --json");
        }
        return doctor ? new Doctor(config, json) : new Start(config, services);
    }

    private static CommandLine template(List<String> words, Optional<Path> config, boolean again, boolean json) {
        String act = words.size() < 2 ? "" : words.get(1);
        int expected = act.equals("list") ? 2 : 3;
        if (!List.of("build", "list", "rm").contains(act)
                || words.size() != expected
                || again && !act.equals("build")) {
            return new Wrong(
                    "template takes build NAME or FILE.yml, list, or rm NAME. Try: bivouac-server template build code-interpreter");
        }
        return new Template(
                config,
                Template.Act.valueOf(act.toUpperCase(Locale.ROOT)),
                expected == 3 ? words.get(2) : "",
                again,
                json);
    }
}
