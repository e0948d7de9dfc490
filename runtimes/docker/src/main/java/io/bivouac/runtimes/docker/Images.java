package io.bivouac.runtimes.docker;

import com.github.dockerjava.api.command.InspectImageResponse;
import com.github.dockerjava.api.exception.NotFoundException;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import io.bivouac.sandboxmodel.template.Template;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The images that templates name. */
final class Images {
    private static final int LONGEST_PULL_MINUTES = 10;

    private final Engine engine;
    private final DockerSettings.Pull pull;

    Images(Engine engine, DockerSettings.Pull pull) {
        this.engine = engine;
        this.pull = pull;
    }

    /** Empty when it is there, or can be fetched. */
    Optional<String> whyMissing(Template template) {
        var name = template.rootFor(DockerRuntime.NAME);
        if (name == null) {
            return Optional.of(namesNone(template));
        }
        var how = template.howToBuild(DockerRuntime.NAME);
        if (how.isPresent()) {
            return how;
        }
        return pull == DockerSettings.Pull.NEVER && find(name).isEmpty()
                ? Optional.of(notThere(template, name))
                : Optional.empty();
    }

    private static String namesNone(Template template) {
        return "The template " + template.name() + " names no image for Docker (roots: docker).";
    }

    private static String notThere(Template template, String name) {
        return "The image " + name + " of the template " + template.name()
                + " is not on the Docker engine. Get it with: docker pull " + name
                + " (or docker load, docker build), or set bivouac.docker.pull to missing.";
    }

    /** The image of a template, fetched if it is missing and that is allowed. */
    InspectImageResponse of(Template template) {
        var name = template.rootFor(DockerRuntime.NAME);
        if (name == null) {
            throw new RuntimeFailure(namesNone(template));
        }
        template.howToBuild(DockerRuntime.NAME).ifPresent(how -> {
            throw new RuntimeFailure(how);
        });
        return find(name).or(() -> fetched(name)).orElseThrow(() -> new RuntimeFailure(notThere(template, name)));
    }

    /** What the image sets for its processes. */
    static Map<String, String> environment(InspectImageResponse image) {
        var environment = new LinkedHashMap<String, String>();
        var config = image.getConfig();
        if (config != null && config.getEnv() != null) {
            for (var entry : config.getEnv()) {
                int equals = entry.indexOf('=');
                if (equals > 0) {
                    environment.put(entry.substring(0, equals), entry.substring(equals + 1));
                }
            }
        }
        return environment;
    }

    private Optional<InspectImageResponse> find(String name) {
        return engine.call("look for the image " + name, docker -> {
            try {
                return Optional.of(docker.inspectImageCmd(name).exec());
            } catch (NotFoundException e) {
                return Optional.empty();
            }
        });
    }

    private Optional<InspectImageResponse> fetched(String name) {
        if (pull == DockerSettings.Pull.NEVER) {
            return Optional.empty();
        }
        engine.call("pull the image " + name, ignored -> {
            try (var pulling = engine.patient().pullImageCmd(name).start()) {
                return pulling.awaitCompletion(LONGEST_PULL_MINUTES, TimeUnit.MINUTES);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new RuntimeFailure("Pulling the image " + name + " was interrupted.", e);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        return find(name);
    }
}
