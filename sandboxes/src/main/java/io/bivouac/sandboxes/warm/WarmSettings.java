package io.bivouac.sandboxes.warm;

import io.bivouac.sandboxmodel.template.Template;
import io.bivouac.sandboxmodel.template.WarmRange;
import io.micronaut.context.annotation.ConfigurationProperties;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.PositiveOrZero;

/** How many sandboxes are started ahead. */
@ConfigurationProperties("bivouac.warm")
public class WarmSettings {
    private int sandboxes = 2;

    /** Of the template {@code default}, unless its template says; 0 switches warm starts off for all templates. */
    @PositiveOrZero @Max(WarmRange.LARGEST) public int getSandboxes() {
        return sandboxes;
    }

    public void setSandboxes(int sandboxes) {
        this.sandboxes = sandboxes;
    }

    WarmRange rangeOf(Template template) {
        if (sandboxes == 0) {
            return WarmRange.NONE;
        }
        if (template.warm() != null) {
            return template.warm();
        }
        return template.name().equals(Template.DEFAULT) ? WarmRange.from(sandboxes) : WarmRange.NONE;
    }
}
