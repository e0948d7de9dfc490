package io.bivouac.sandboxes.warm;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.sandboxmodel.Resources;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.template.Template;
import io.bivouac.sandboxmodel.template.WarmRange;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TemplatePoolTest {
    private static final WaitingAgent AGENT = new WaitingAgent() {
        @Override
        public boolean admit() {
            return true;
        }

        @Override
        public boolean isConnected() {
            return true;
        }
    };

    private final Template template =
            new Template("default", "", Map.of(), Map.of(), List.of(), Resources.DEFAULT, List.of(), Map.of());
    private final TemplatePool pool = new TemplatePool(template, new WarmRange(2, 5));

    @Test
    void eachCreateThatFoundNoneWantsOneMoreUpToTheMost() {
        assertThat(pool.figures().wanted()).isEqualTo(2);
        pool.take();
        assertThat(pool.figures().wanted()).isEqualTo(3);
        for (int create = 0; create < 10; create++) {
            pool.take();
        }
        assertThat(pool.figures().wanted()).isEqualTo(5);
    }

    @Test
    void quietTimesHalveWhatIsWantedBeyondTheLeast() {
        for (int create = 0; create < 3; create++) {
            pool.take();
        }
        for (int ready = 0; ready < 5; ready++) {
            pool.add(new WarmSandbox(SandboxId.next(), template, AGENT));
        }
        assertThat(pool.becomeFewer()).hasSize(2);
        assertThat(pool.figures().wanted()).isEqualTo(3);
        assertThat(pool.becomeFewer()).hasSize(1);
        assertThat(pool.becomeFewer()).isEmpty();
        assertThat(pool.figures().wanted()).isEqualTo(2);
        assertThat(pool.isLacking()).isFalse();
    }
}
