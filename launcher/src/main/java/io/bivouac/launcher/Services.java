package io.bivouac.launcher;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which of the services a process runs. */
record Services(Set<Service> chosen) {
    static final String SETTING = "BIVOUAC_SERVICES";
    private static final String ALL = "all";

    enum Service {
        /** The control plane: answers, and makes no sandboxes itself. */
        FUNCTIONS,
        /** Makes sandboxes on its host, and holds the connections of their agents. */
        RELAY,
        /** Sends events to webhooks. */
        WEBHOOKS
    }

    Services {
        if (chosen.isEmpty()) {
            throw new IllegalArgumentException("no service");
        }
        chosen = Set.copyOf(chosen);
    }

    static Services all() {
        return new Services(EnumSet.allOf(Service.class));
    }

    /** @param list names separated by commas; empty for all */
    static Services parse(Optional<String> list) {
        if (list.isEmpty()) {
            return all();
        }
        var chosen = EnumSet.noneOf(Service.class);
        for (String name : list.get().split(",")) {
            if (name.strip().equals(ALL)) {
                return all();
            }
            chosen.add(service(name.strip()));
        }
        return new Services(chosen);
    }

    private static Service service(String name) {
        return Stream.of(Service.values())
                .filter(service -> wireName(service).equals(name))
                .findFirst()
                .orElseThrow(() -> new StartRefused(
                        "%s has \"%s\"; it can be functions, relay, webhooks, or several of them separated by commas, or all."
                                .formatted(SETTING, name)));
    }

    boolean relay() {
        return chosen.contains(Service.RELAY);
    }

    boolean webhooks() {
        return chosen.contains(Service.WEBHOOKS);
    }

    /** A process of functions alone holds nothing that another would have to take over. */
    boolean background() {
        return relay() || webhooks();
    }

    boolean isAll() {
        return chosen.size() == Service.values().length;
    }

    @Override
    public String toString() {
        return isAll() ? ALL : chosen.stream().sorted().map(Services::wireName).collect(Collectors.joining(","));
    }

    private static String wireName(Service service) {
        return service.name().toLowerCase(Locale.ROOT);
    }

    /** Without a relay nothing of one's own is started, so others must be named. */
    void mustBeComplete(LauncherSettings settings) {
        if (relay()) {
            return;
        }
        var missing = Stream.of(
                        settings.databaseUrl().isEmpty() ? "BIVOUAC_DATABASE_URL" : "",
                        settings.kafkaBootstrap().isEmpty() ? "BIVOUAC_KAFKA_BOOTSTRAP" : "",
                        settings.tokenKey().isEmpty() ? "BIVOUAC_TOKEN_KEY" : "",
                        settings.encryptionKey().isEmpty() ? "BIVOUAC_ENCRYPTION_KEY" : "")
                .filter(name -> !name.isEmpty())
                .toList();
        if (!missing.isEmpty()) {
            throw new StartRefused("--services=%s shares a database with a relay: set %s to what the relay has."
                    .formatted(this, String.join(", ", missing)));
        }
    }
}
