package io.bivouac.sandboxes.warm;

import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.template.Template;
import io.bivouac.sandboxmodel.template.WarmRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The sandboxes of one template that are ready, and how many are wanted. Whenever one was wanted and none was ready, one
 * more is kept from then on; in quiet times they become fewer again. Thread-safe.
 */
final class TemplatePool {
    private volatile Template template;
    private volatile boolean ended;
    private final WarmRange range;
    private final ConcurrentLinkedQueue<WarmSandbox> ready = new ConcurrentLinkedQueue<>();
    private final AtomicInteger wanted;

    /** Taken by creates that are under way. */
    private final AtomicInteger lent = new AtomicInteger();

    private final AtomicLong warm = new AtomicLong();
    private final AtomicLong cold = new AtomicLong();

    TemplatePool(Template template, WarmRange range) {
        this.template = template;
        this.range = range;
        this.wanted = new AtomicInteger(range.least());
    }

    Template template() {
        return template;
    }

    /** From now on its sandboxes are made of this; those that are ready are of something else, and given up. */
    List<WarmSandbox> make(Template other) {
        template = other;
        ended = false;
        return takeAll();
    }

    /** Its template is gone, until it is built again. */
    List<WarmSandbox> end() {
        ended = true;
        return takeAll();
    }

    /** Whether it is what this pool's sandboxes are made of now. */
    boolean makes(Template wanted) {
        return !ended && template.equals(wanted);
    }

    /** One that nobody else is given; empty when none is ready. */
    Optional<WarmSandbox> take() {
        var taken = Optional.ofNullable(ready.poll());
        if (taken.isEmpty()) {
            wanted.updateAndGet(before -> Math.min(before + 1, range.most()));
        }
        return taken;
    }

    /** Counts a create of this template. */
    void created(boolean fromPool) {
        (fromPool ? warm : cold).incrementAndGet();
    }

    /** The create with one of these has begun. */
    void lend() {
        lent.incrementAndGet();
    }

    /** It is over, whatever came of it. */
    void lentNoMore() {
        lent.decrementAndGet();
    }

    void add(WarmSandbox sandbox) {
        ready.add(sandbox);
    }

    void remove(SandboxId id) {
        ready.removeIf(sandbox -> sandbox.id().equals(id));
    }

    /** What is lent may come back, and is replaced when it does not. */
    boolean isLacking() {
        return ready.size() + lent.get() < wanted.get() && !ended && !template.isToBeBuilt();
    }

    /** Half of what is wanted beyond the least is given up, at each turn. */
    List<WarmSandbox> becomeFewer() {
        int now = wanted.updateAndGet(before -> range.least() + (before - range.least()) / 2);
        var surplus = new ArrayList<WarmSandbox>();
        while (ready.size() > now) {
            Optional.ofNullable(ready.poll()).ifPresent(surplus::add);
        }
        return surplus;
    }

    List<WarmSandbox> takeAll() {
        var all = new ArrayList<WarmSandbox>();
        for (var next = ready.poll(); next != null; next = ready.poll()) {
            all.add(next);
        }
        return all;
    }

    WarmFigures figures() {
        return new WarmFigures(template.name(), ready.size(), wanted.get(), warm.get(), cold.get());
    }
}
