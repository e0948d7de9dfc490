package io.bivouac.sandboxes.template.build;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What this machine's package tools are configured with, so that they reach the same registries from inside a tree: the
 * environment's part and the files that they read.
 */
final class Surroundings {
    private static final Pattern VARIABLE = Pattern.compile(
            "(?i)(pip_.*|npm_config_.*|[a-z]*_?proxy|no_proxy|goproxy|gosumdb|gonosumdb|goprivate|ssl_cert_(file|dir)"
                    + "|requests_ca_bundle|node_extra_ca_certs)");

    /** In the tree, while a step runs. */
    private static final String HOME = "/tmp/home";

    private Surroundings() {}

    /** For programs of the machine itself. */
    static Map<String, String> ofTheMachine() {
        var environment = new TreeMap<>(ofTheTools());
        environment.put("PATH", System.getenv().getOrDefault("PATH", "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"));
        environment.put("HOME", home().toString());
        environment.put("LC_ALL", "C.UTF-8");
        environment.put("DEBIAN_FRONTEND", "noninteractive");
        return environment;
    }

    /** For programs of a tree. */
    static Map<String, String> ofATree() {
        var environment = new TreeMap<>(ofTheTools());
        environment.put("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
        environment.put("HOME", HOME);
        environment.put("LC_ALL", "C.UTF-8");
        environment.put("DEBIAN_FRONTEND", "noninteractive");
        environment.put("PIP_CONFIG_FILE", HOME + "/pip.conf");
        environment.put("NPM_CONFIG_GLOBALCONFIG", HOME + "/npmrc");
        return environment;
    }

    private static Map<String, String> ofTheTools() {
        var tools = new TreeMap<String, String>();
        System.getenv().forEach((name, value) -> {
            if (VARIABLE.matcher(name).matches()) {
                tools.put(name, value);
            }
        });
        return tools;
    }

    /** Arguments of bubblewrap. */
    static List<String> binds() {
        var binds = new ArrayList<String>();
        var inHome = Path.of(HOME);
        bind(binds, Path.of("/etc/pip.conf"), inHome.resolve("pip.conf"));
        bind(binds, Path.of("/etc/npmrc"), inHome.resolve("npmrc"));
        bind(binds, home().resolve(".npmrc"), inHome.resolve(".npmrc"));
        bind(binds, home().resolve(".config/pip"), inHome.resolve(".config/pip"));
        bind(binds, home().resolve(".pip"), inHome.resolve(".pip"));
        bind(binds, home().resolve(".config/go/env"), inHome.resolve(".config/go/env"));
        for (var shared : List.of("/etc/resolv.conf", "/etc/ssl/certs")) {
            bind(binds, Path.of(shared), Path.of(shared));
        }
        return binds;
    }

    /** Also for apt: its options, credentials and the keys of its sources. */
    static List<String> bindsOfApt() {
        var binds = new ArrayList<>(binds());
        for (var shared : List.of("/etc/apt/apt.conf.d", "/etc/apt/auth.conf.d", "/usr/share/keyrings")) {
            bind(binds, Path.of(shared), Path.of(shared));
        }
        return binds;
    }

    private static Path home() {
        return Path.of(System.getProperty("user.home"));
    }

    private static void bind(List<String> binds, Path source, Path target) {
        if (Files.exists(source)) {
            binds.addAll(List.of("--ro-bind", source.toString(), target.toString()));
        }
    }
}
