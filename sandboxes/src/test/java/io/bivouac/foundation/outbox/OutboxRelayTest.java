package io.bivouac.foundation.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.foundation.fixture.Eventually;
import io.bivouac.foundation.fixture.House;
import io.bivouac.foundation.fixture.TestStack;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.fixture.Drafts;
import io.bivouac.sandboxmodel.transition.Happening.AgentRegistered;
import io.micronaut.context.ApplicationContext;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OutboxRelayTest {
    private final String project = House.newProject().project();
    private ApplicationContext context;
    private KafkaConsumer<String, String> consumer;
    private final List<ConsumerRecord<String, String>> received = new ArrayList<>();

    @BeforeEach
    void start() {
        context = House.open(TestStack.get().propertiesWithKafka());
        var properties = new HashMap<String, Object>(TestStack.get().kafka().clientProperties());
        properties.put("bootstrap.servers", TestStack.get().kafka().bootstrap());
        properties.put("group.id", "test-" + System.nanoTime());
        properties.put("auto.offset.reset", "earliest");
        properties.put("metadata.max.age.ms", "500");
        consumer = new KafkaConsumer<>(properties, new StringDeserializer(), new StringDeserializer());
        consumer.subscribe(List.of("bivouac.events"));
    }

    @AfterEach
    void stop() {
        consumer.close();
        context.close();
    }

    @Test
    void everyChangeReachesKafkaInOrderWithCloudEventsHeaders() {
        var store = context.getBean(SandboxStore.class);
        var sandbox = store.add(Drafts.starting(project));
        for (int i = 0; i < 20; i++) {
            store.on(sandbox.id(), new AgentRegistered("v" + i));
        }
        var events = awaitEvents(sandbox.id(), 42);
        assertThat(events).extracting(event -> header(event, "ce_sequence")).containsExactlyElementsOf(numbersTo(42));
        var first = events.getFirst();
        assertThat(header(first, "ce_type")).isEqualTo("sandbox.created");
        assertThat(header(first, "ce_specversion")).isEqualTo("1.0");
        assertThat(header(first, "ce_subject")).isEqualTo(sandbox.id().value());
        assertThat(header(first, "ce_source")).isEqualTo("/projects/" + project);
        assertThat(header(first, "content-type")).isEqualTo("application/json");
        assertThat(first.key()).isEqualTo(sandbox.id().value());
        assertThat(first.value())
                .contains(
                        "\"type\":\"sandbox.created\"", "\"sequence\":1", "\"id\":\"" + header(first, "ce_id") + "\"");
    }

    @Test
    void whatIsCommittedWhileKafkaIsAwayArrivesWhenItIsBack() {
        var store = context.getBean(SandboxStore.class);
        var before = store.add(Drafts.starting(project));
        awaitEvents(before.id(), 2);
        TestStack.get().kafka().close();
        var meanwhile = store.add(Drafts.starting(project));
        assertThat(context.getBean(Outbox.class).unpublished()).isPositive();
        TestStack.get().kafka().restart();
        awaitEvents(meanwhile.id(), 2);
        Eventually.that("an empty outbox", () -> context.getBean(Outbox.class).unpublished() == 0);
    }

    @Test
    void onlyOneOfTwoProcessesPublishes() {
        try (var other = House.open(TestStack.get().propertiesWithKafka())) {
            var store = other.getBean(SandboxStore.class);
            var sandbox = store.add(Drafts.starting(project));
            for (int i = 0; i < 20; i++) {
                store.on(sandbox.id(), new AgentRegistered("v" + i));
                // One batch each: two publishers would both see most of them.
                Eventually.that(
                        "an empty outbox", () -> other.getBean(Outbox.class).unpublished() == 0);
            }
            // What a second publisher has sent of these is in the topic before this one's end.
            var last = store.add(Drafts.starting(project));
            awaitEvents(last.id(), 2);
            readToTheEnd();
            assertThat(eventsOf(sandbox.id()))
                    .extracting(event -> header(event, "ce_sequence"))
                    .containsExactlyElementsOf(numbersTo(42));
            assertThat(eventsOf(last.id())).hasSize(2);
        }
    }

    /** A crash of the database may take marks back, and their numbers with them, that a reader has seen. */
    @Test
    void aNewSessionGivesNoNumberThatAnotherMayHaveGiven() {
        var id = context.getBean(SandboxStore.class)
                .add(Drafts.starting(project))
                .id();
        long last = lastNumber(2);
        context.close();
        context = House.open(TestStack.get().propertiesWithKafka());
        context.getBean(SandboxStore.class).on(id, new AgentRegistered("v1"));
        assertThat(lastNumber(3)).isGreaterThan(last + 900_000);
        assertThat(context.getBean(PublishedEvents.class).reachesBackTo(last + 1_000))
                .isTrue();
    }

    private long lastNumber(int count) {
        return Eventually.get(
                        count + " published events",
                        () -> context.getBean(PublishedEvents.class).after(project, 0, 100, 1 << 20),
                        events -> events.size() >= count)
                .getLast()
                .number();
    }

    private void readToTheEnd() {
        var ends = consumer.endOffsets(consumer.assignment());
        Eventually.that("all that is in the topic", () -> {
            consumer.poll(Duration.ofMillis(200)).forEach(received::add);
            return ends.entrySet().stream().allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
        });
    }

    private List<ConsumerRecord<String, String>> eventsOf(SandboxId id) {
        return received.stream().filter(event -> id.value().equals(event.key())).toList();
    }

    private List<ConsumerRecord<String, String>> awaitEvents(SandboxId id, int count) {
        return Eventually.get(
                count + " events of " + id,
                () -> {
                    consumer.poll(Duration.ofMillis(200)).forEach(received::add);
                    return eventsOf(id);
                },
                events -> events.size() >= count);
    }

    private static String header(ConsumerRecord<String, String> event, String name) {
        return new String(event.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
    }

    private static List<String> numbersTo(int last) {
        var numbers = new ArrayList<String>();
        for (int i = 1; i <= last; i++) {
            numbers.add(Integer.toString(i));
        }
        return numbers;
    }

    @Test
    void theSettingsHaveTheirDefaults() {
        var settings = context.getBean(KafkaSettings.class);
        assertThat(settings.getTopic()).isEqualTo("bivouac.events");
        assertThat(settings.getPartitions()).isEqualTo(6);
        assertThat(settings.clientProperties())
                .containsAllEntriesOf(Map.of("bootstrap.servers", settings.getBootstrap()));
    }
}
