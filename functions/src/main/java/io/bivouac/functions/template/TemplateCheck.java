package io.bivouac.functions.template;

import io.bivouac.sandboxes.template.Templates;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.micronaut.runtime.event.annotation.EventListener;
import io.micronaut.runtime.server.event.ServerStartupEvent;
import jakarta.inject.Singleton;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says at the start which templates promise what the runtime here cannot give. The server starts all the same. */
@Singleton
class TemplateCheck {
    private static final Logger LOG = LoggerFactory.getLogger(TemplateCheck.class);

    private final Templates templates;
    private final SandboxRuntime runtime;

    TemplateCheck(Templates templates, SandboxRuntime runtime) {
        this.templates = templates;
        this.runtime = runtime;
    }

    @EventListener
    void started(ServerStartupEvent event) {
        // Nobody waits for it.
        Thread.ofVirtual().name("template-check").start(this::look);
    }

    private void look() {
        for (var template : templates.all()) {
            if (template.howToBuild(runtime.name()).isPresent()) {
                // Nothing is wrong with it: nobody has asked for it yet.
                continue;
            }
            try {
                runtime.shortcomings(template).forEach(LOG::warn);
            } catch (RuntimeFailure unknown) {
                LOG.warn("Template {} could not be looked at: {}", template.name(), unknown.getMessage());
            }
        }
    }
}
