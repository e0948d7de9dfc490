package io.bivouac.sandboxmodel.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.runtime.Instance.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * What every runtime must do: the life of an instance and of its data, here, and its use, in the classes above.
 * A runtime's test class extends this one and gives only what {@link RuntimeFixture} asks for.
 */
public abstract class SandboxRuntimeContract extends PauseContract {
    private static final int AT_ONCE = 8;

    @Test
    void itsOwnCheckPasses() {
        runtime().check();
    }

    @Test
    void whatIsCreatedDoesNotRunYet() {
        var spec = spec();
        var created = runtime().create(spec);
        assertThat(created.id()).isEqualTo(spec.id());
        assertThat(created.project()).isEqualTo(spec.project());
        assertThat(created.state()).isEqualTo(State.CREATED);
        assertThat(created.reference()).isNotEmpty();
        assertThat(runtime().get(spec.id())).map(Instance::state).contains(State.CREATED);
    }

    @Test
    void itCarriesItsLabels() {
        var spec = spec();
        runtime().create(spec);
        var labels = Labels.of(spec, installation());
        assertThat(runtime().get(spec.id()).orElseThrow().labels()).containsAllEntriesOf(labels);
        assertThat(listed(runtime(), spec.id()).labels()).containsAllEntriesOf(labels);
    }

    @Test
    void itStartsStopsAndStartsAgainWithItsData() {
        var id = started(spec());
        assertThat(stateOf(id)).isEqualTo(State.RUNNING);
        shell(id, "echo kept > /workspace/note");

        runtime().stop(id, GRACE);
        assertThat(stateOf(id)).isEqualTo(State.STOPPED);

        runtime().start(id);
        assertThat(stateOf(id)).isEqualTo(State.RUNNING);
        assertThat(shell(id, "cat /workspace/note")).isEqualTo("kept");
    }

    @Test
    void askingAgainForWhatIsSoIsNoError() {
        var spec = spec();
        var first = runtime().create(spec);
        assertThat(runtime().create(spec).reference()).isEqualTo(first.reference());
        runtime().start(spec.id());
        runtime().start(spec.id());
        assertThat(runtime().create(spec).state()).isEqualTo(State.RUNNING);
        runtime().stop(spec.id(), GRACE);
        runtime().stop(spec.id(), GRACE);
        runtime().remove(spec.id(), false);
        runtime().remove(spec.id(), false);
        assertThat(runtime().get(spec.id())).isEmpty();
    }

    @Test
    void onesThatIgnoreTheRequestEndAfterTheGrace() {
        var id = started(spec(command("sh", "-c", "trap '' TERM; while :; do sleep 1; done")));
        runtime().stop(id, Duration.ofSeconds(1));
        assertThat(stateOf(id)).isEqualTo(State.STOPPED);
    }

    @Test
    void aRunningOneCanBeRemoved() {
        var id = started(spec());
        runtime().remove(id, false);
        assertThat(runtime().get(id)).isEmpty();
        assertThat(runtime().keptData()).noneMatch(kept -> kept.id().equals(id));
    }

    @Test
    void keptDataIsListedAndComesBackWithTheSameId() {
        var spec = spec();
        var id = started(spec);
        shell(id, "echo precious > /workspace/note");
        runtime().remove(id, true);

        assertThat(runtime().get(id)).isEmpty();
        assertThat(runtime().keptData())
                .filteredOn(kept -> kept.id().equals(id))
                .singleElement()
                .satisfies(kept -> {
                    assertThat(kept.project()).isEqualTo(spec.project());
                    assertThat(kept.bytes()).isPositive();
                    assertThat(kept.keptAt()).isNotNull();
                });

        started(spec);
        assertThat(shell(id, "cat /workspace/note")).isEqualTo("precious");
        assertThat(runtime().keptData()).noneMatch(kept -> kept.id().equals(id));
    }

    @Test
    void dataThatIsNotKeptIsGone() {
        var spec = spec();
        var id = started(spec);
        shell(id, "echo precious > /workspace/note");
        runtime().remove(id, false);
        started(spec);
        assertThat(shell(id, "cat /workspace/note || echo gone")).isEqualTo("gone");
    }

    @Test
    void keptDataCanBeRemoved() {
        var id = started(spec());
        runtime().remove(id, true);
        runtime().removeKeptData(id);
        runtime().removeKeptData(id);
        assertThat(runtime().keptData()).noneMatch(kept -> kept.id().equals(id));
    }

    @Test
    void keptDataGoesWhenItIsRemovedAgainWithoutKeepingIt() {
        var id = started(spec());
        runtime().remove(id, true);
        runtime().remove(id, false);
        assertThat(runtime().keptData()).noneMatch(kept -> kept.id().equals(id));
    }

    @Test
    void anotherSandboxTakesAWorkspaceOver() {
        var first = started(spec());
        shell(first, "echo inherited > /workspace/note");
        runtime().remove(first, true);

        var second = started(takingOver(first));
        assertThat(shell(second, "cat /workspace/note; echo more >> /workspace/note"))
                .isEqualTo("inherited");
        assertThat(runtime().keptData()).noneMatch(kept -> kept.id().equals(first));

        runtime().remove(second, true);
        runtime().remove(first, false);
        assertThat(runtime().keptData()).extracting(SandboxRuntime.KeptData::id).contains(second);
        var third = started(takingOver(second));
        assertThat(shell(third, "cat /workspace/note")).isEqualTo("inherited\nmore");
    }

    @Test
    void aWorkspaceThatIsInUseOrAnotherProjectsIsNotTakenOver() {
        var first = started(spec());
        assertThatThrownBy(() -> runtime().create(takingOver(first))).isInstanceOf(RuntimeFailure.class);
        runtime().remove(first, true);
        var foreign = takingOver(first);
        assertThatThrownBy(() -> runtime().create(ofProject("another", foreign)))
                .isInstanceOf(RuntimeFailure.class);
        assertThat(runtime().keptData()).extracting(SandboxRuntime.KeptData::id).contains(first);
    }

    @Test
    void anotherRootMakesItAnewWithItsData() {
        var spec = spec();
        var id = started(spec);
        shell(id, "echo moved > /workspace/note");
        runtime().stop(id, GRACE);

        var rebuilt = runtime().create(withRoot(otherRoot(), spec));
        assertThat(rebuilt.state()).isEqualTo(State.CREATED);
        runtime().start(id);
        assertThat(shell(id, "cat /workspace/note")).isEqualTo("moved");
    }

    @Test
    void twoInstallationsDoNotSeeEachOther() {
        var id = started(spec());
        var stranger = anotherInstallation();
        assertThat(runtime().list()).extracting(Instance::id).contains(id);
        assertThat(stranger.list()).extracting(Instance::id).doesNotContain(id);
        assertThat(stranger.get(id)).isEmpty();
        stranger.remove(id, false);
        assertThat(stateOf(id)).isEqualTo(State.RUNNING);

        runtime().remove(id, true);
        stranger.removeKeptData(id);
        assertThat(stranger.keptData()).noneMatch(kept -> kept.id().equals(id));
        assertThat(runtime().keptData()).anyMatch(kept -> kept.id().equals(id));
    }

    @Test
    void anUnknownIdNamesNoInstance() {
        var unknown = SandboxId.next();
        assertThat(runtime().get(unknown)).isEmpty();
        assertThatThrownBy(() -> runtime().start(unknown)).isInstanceOf(NoSuchInstance.class);
        assertThatThrownBy(() -> runtime().stop(unknown, GRACE)).isInstanceOf(NoSuchInstance.class);
        assertThatThrownBy(() -> runtime().stats(unknown)).isInstanceOf(NoSuchInstance.class);
        assertThatThrownBy(() -> runtime().logs(unknown, new LogQuery(1, null, null)))
                .isInstanceOf(NoSuchInstance.class);
    }

    @Test
    void aRootThatIsNotThereIsNamed() {
        var spec = withRoot(missingRoot(), spec());
        assertThatThrownBy(() -> started(spec))
                .isInstanceOf(RuntimeFailure.class)
                .hasMessageContaining(missingRoot());
    }

    @Test
    void manyAtOnceEachGetTheirOwn() throws Exception {
        var specs = IntStream.range(0, AT_ONCE).mapToObj(i -> spec()).toList();
        allAtOnce(specs.stream()
                .map(spec -> (Callable<SandboxId>) () -> started(spec))
                .toList());
        assertThat(runtime().list())
                .extracting(Instance::id)
                .containsAll(specs.stream().map(InstanceSpec::id).toList());
    }

    @Test
    void theSameOneCreatedManyTimesAtOnceIsOne() throws Exception {
        var spec = spec();
        var references = allAtOnce(IntStream.range(0, AT_ONCE)
                .mapToObj(i -> (Callable<String>) () -> runtime().create(spec).reference())
                .toList());
        assertThat(references).hasSize(AT_ONCE).containsOnly(references.getFirst());
        assertThat(runtime().list())
                .filteredOn(instance -> instance.id().equals(spec.id()))
                .hasSize(1);
    }

    private <T> List<T> allAtOnce(List<Callable<T>> tasks) throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var results = new ArrayList<T>();
            for (var future : threads.invokeAll(tasks)) {
                results.add(future.get());
            }
            return results;
        }
    }
}
