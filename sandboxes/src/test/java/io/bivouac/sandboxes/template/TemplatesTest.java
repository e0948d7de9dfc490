package io.bivouac.sandboxes.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bivouac.foundation.fixture.House;
import io.bivouac.sandboxmodel.Resources;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.template.ManagedHooks;
import io.bivouac.sandboxmodel.template.Template;
import io.bivouac.sandboxmodel.template.WarmRange;
import java.io.StringReader;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TemplatesTest {
    @Test
    void theEmbeddedOnesAreThere() {
        var templates = House.get(Templates.class);
        assertThat(templates.all()).extracting(Template::name).contains("default", "python:3.11", "node:20");
        assertThat(templates.get("default").rootFor("bubblewrap")).isEqualTo(Template.HOST_ROOT);
        assertThat(templates.get("default").resources()).isEqualTo(Resources.DEFAULT);
        assertThat(templates.get("default").maxLifetime()).isEqualTo(Duration.ofHours(24));
        assertThat(templates.get("python:3.11").commands()).containsKey("python");
        assertThat(templates.get("python:3.11").versions()).containsEntry("python", "3.11");
        assertThat(templates.get("node:20").versions()).containsEntry("node", "20");
        assertThat(templates.get("code-interpreter").isToBeBuilt()).isTrue();
    }

    @Test
    void theUsualOneLetsEveryAssistantAsk() {
        assertThat(House.get(Templates.class).get(Template.DEFAULT).hooks()).contains(ManagedHooks.values());
    }

    @Test
    void anUnknownOneIsRefusedWithTheNamesOfAll() {
        assertThatThrownBy(() -> House.get(Templates.class).get("nope"))
                .isInstanceOf(BivouacException.class)
                .hasMessageContaining("default, python:3.11");
    }

    @Test
    void aMisspelledKeyIsAnErrorThatNamesFileAndTemplate() {
        var yaml = new StringReader("templates: [{name: mine, rots: {bubblewrap: host}}]");
        assertThatThrownBy(() -> TemplateFile.read(yaml, "mine.yml"))
                .hasMessage("mine.yml: template mine has an unknown key rots");
    }

    @Test
    void everyPartOfATemplateIsRead() {
        var yaml = new StringReader("""
                templates:
                  - name: mine
                    description: d
                    roots: {docker: img}
                    envs: {A: 1}
                    ports: [8080]
                    resources: {cpu: 0.5, memory: 64m, disk: 2g}
                    startCommand: [sh, -c, "sleep 1"]
                    commands: {x: [/bin/x]}
                    versions: {x: 1.5}
                    hooks: [claude-code, codex]
                    egress: {allow: [api.example.org, "*.example.org:80"]}
                    maxLifetime: 7d
                """);
        var template = TemplateFile.read(yaml, "mine.yml").getFirst();
        assertThat(template.envs()).containsEntry("A", "1");
        assertThat(template.ports()).containsExactly(8080);
        assertThat(template.resources()).isEqualTo(new Resources(0.5, 64 << 20, 2L << 30));
        assertThat(template.startCommand()).containsExactly("sh", "-c", "sleep 1");
        assertThat(template.commands().get("x")).containsExactly("/bin/x");
        assertThat(template.versions()).containsEntry("x", "1.5");
        assertThat(ManagedHooks.files(template.hooks()))
                .containsOnlyKeys("claude-code/managed-settings.json", "codex/requirements.toml");
        assertThat(template.egress().hosts()).containsExactly("api.example.org:443", "*.example.org:80");
        assertThat(template.maxLifetime()).isEqualTo(Duration.ofDays(7));
    }

    @Test
    void aPortThatIsNoneAndAVersionOfNothingAreErrors() {
        assertThatThrownBy(() -> TemplateFile.read(new StringReader("templates: [{name: a, ports: [0]}]"), "a.yml"))
                .hasMessage("a.yml: template a has a port 0; it must be a number from 1 to 65535");
        assertThatThrownBy(() -> TemplateFile.read(new StringReader("templates: [{name: a, ports: [web]}]"), "a.yml"))
                .hasMessageContaining("has a port web");
        var version = new StringReader("templates: [{name: a, versions: {python: 3}}]");
        assertThatThrownBy(() -> TemplateFile.read(version, "a.yml"))
                .hasMessage("a.yml: template a has a version for python, which is not in commands");
        assertThatThrownBy(() -> TemplateFile.read(new StringReader("templates: [{name: a, hooks: [vim]}]"), "a.yml"))
                .hasMessageContaining("has hooks for vim");
        assertThatThrownBy(() ->
                        TemplateFile.read(new StringReader("templates: [{name: a, egress: {allow: ['*']}}]"), "a.yml"))
                .hasMessageContaining("a.yml: template a, egress: \"*\" is not a host");
        assertThatThrownBy(() ->
                        TemplateFile.read(new StringReader("templates: [{name: a, egress: {deny: [x]}}]"), "a.yml"))
                .hasMessageContaining("something else than allow");
        assertThatThrownBy(
                        () -> TemplateFile.read(new StringReader("templates: [{name: a, maxLifetime: 0h}]"), "a.yml"))
                .hasMessageContaining("a.yml: template a has a maxLifetime of 0h; it must be a number of minutes");
    }

    @Test
    void aTemplateSaysHowManyAreStartedAhead() {
        assertThat(read("warm: 3").warm()).isEqualTo(new WarmRange(3, 12));
        assertThat(read("warm: 3, warmMax: 5").warm()).isEqualTo(new WarmRange(3, 5));
        assertThat(read("warm: 0").warm()).isEqualTo(WarmRange.NONE);
        assertThat(read("description: none").warm()).isNull();
        assertThatThrownBy(() -> read("warm: 3, warmMax: 2"))
                .hasMessage("a.yml: template a: warmMax must be at least warm, which is 3");
        assertThatThrownBy(() -> read("warm: many")).hasMessageContaining("must be whole numbers");
        assertThatThrownBy(() -> read("warm: 300")).hasMessageContaining("between 0 and 256");
    }

    private static Template read(String more) {
        return TemplateFile.read(new StringReader("templates: [{name: a, " + more + "}]"), "a.yml")
                .getFirst();
    }
}
