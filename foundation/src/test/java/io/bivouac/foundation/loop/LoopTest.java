package io.bivouac.foundation.loop;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.bivouac.foundation.database.Outage;
import io.bivouac.foundation.fixture.Eventually;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class LoopTest {
    /** Longer than any test waits: only a wake or a stop ends it. */
    private static final Duration FOR_EVER = Duration.ofDays(1);

    private static final Duration AT_ONCE = Duration.ZERO;

    private final Logger log = (Logger) LoggerFactory.getLogger("loop-test");
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
    private final AtomicInteger steps = new AtomicInteger();
    private volatile Loop loop;

    @AfterEach
    void end() {
        loop.stop(Duration.ofSeconds(10));
        log.detachAppender(logged);
    }

    @Test
    void theFirstStepIsTakenAtOnceAndTheNextAfterThePauseThatItAskedFor() {
        start(AT_ONCE, () -> steps.incrementAndGet() < 3 ? Duration.ofMillis(1) : FOR_EVER);
        awaitSteps(3);
    }

    @Test
    void aWakeEndsThePauseBeforeTheFirstStep() {
        loop = loop(FOR_EVER, () -> {
            steps.incrementAndGet();
            return FOR_EVER;
        });
        loop.startAfter(FOR_EVER);
        assertThat(steps).hasValue(0);
        loop.wake();
        awaitSteps(1);
    }

    @Test
    void wakesDuringAStepAreOneMoreStep() throws Exception {
        var inside = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        start(FOR_EVER, () -> {
            if (steps.incrementAndGet() == 1) {
                inside.countDown();
                goOn.await();
            }
            return FOR_EVER;
        });
        inside.await();
        loop.wake();
        loop.wake();
        goOn.countDown();
        awaitSteps(2);
        awaitRest();
        assertThat(steps).hasValue(2);
    }

    @Test
    void anOutageIsReportedOnceAndItsEndOnce() {
        var away = new AtomicBoolean(true);
        start(AT_ONCE, () -> {
            steps.incrementAndGet();
            if (away.get()) {
                throw new IllegalStateException("nobody there");
            }
            return FOR_EVER;
        });
        awaitSteps(5);
        away.set(false);
        awaitRest();
        assertThat(warnings()).containsExactly("It is away; trying again until it works: nobody there", "It is back");
    }

    @Test
    void wakesDoNotShortenThePauseAfterAFailure() {
        start(FOR_EVER, () -> {
            steps.incrementAndGet();
            loop.wake();
            throw new IllegalStateException("nobody there");
        });
        awaitRest();
        assertThat(steps).hasValue(1);
    }

    @Test
    void aStopInterruptsTheStepAndIsNoOutage() throws Exception {
        var inside = new CountDownLatch(1);
        var interrupted = new CountDownLatch(1);
        start(AT_ONCE, () -> {
            inside.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException stopped) {
                interrupted.countDown();
                throw new IllegalStateException("interrupted", stopped);
            }
            return FOR_EVER;
        });
        inside.await();
        loop.stop();
        assertThat(interrupted.await(10, TimeUnit.SECONDS)).isTrue();
        awaitEnd();
        assertThat(warnings()).isEmpty();
    }

    @Test
    void aStepThatIsUnderWayMayFinish() throws Exception {
        var inside = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        var finished = new AtomicBoolean();
        start(AT_ONCE, () -> {
            inside.countDown();
            goOn.await();
            finished.set(true);
            return FOR_EVER;
        });
        inside.await();
        var finishing = Thread.ofVirtual().start(() -> loop.finish(FOR_EVER));
        Eventually.that("the loop to be told", loop::isStopping);
        goOn.countDown();
        finishing.join();
        assertThat(finished).isTrue();
        awaitEnd();
    }

    @Test
    void aStepThatDoesNotFinishInTimeIsInterrupted() throws Exception {
        var inside = new CountDownLatch(1);
        start(AT_ONCE, () -> {
            inside.countDown();
            new CountDownLatch(1).await();
            return FOR_EVER;
        });
        inside.await();
        loop.finish(Duration.ofMillis(1));
        awaitEnd();
    }

    @Test
    void aLoopThatNeverStartedCanBeStopped() {
        loop = loop(AT_ONCE, () -> FOR_EVER);
        loop.stop();
        loop.finish(FOR_EVER);
        assertThat(loop.isStopping()).isTrue();
    }

    private void start(Duration retry, Loop.Step step) {
        loop = loop(retry, step);
        loop.start();
    }

    private Loop loop(Duration retry, Loop.Step step) {
        logged.start();
        log.addAppender(logged);
        return new Loop("loop-test", step, retry, new Outage(log, "It is away", "It is back"));
    }

    private List<String> warnings() {
        return List.copyOf(logged.list).stream()
                .filter(event -> event.getLevel() == Level.WARN)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    private void awaitSteps(int count) {
        Eventually.that(count + " steps", () -> steps.get() >= count);
    }

    private static void awaitRest() {
        Eventually.that(
                "the loop to rest", () -> thread() != null && thread().getState() == Thread.State.TIMED_WAITING);
    }

    private static void awaitEnd() {
        Eventually.that("the loop's thread to end", () -> thread() == null);
    }

    private static Thread thread() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("loop-test"))
                .findFirst()
                .orElse(null);
    }
}
