package io.bivouac.sessions.fuzz;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import io.micronaut.core.annotation.Nullable;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** Hears what the program complains about: buffers that were never freed among it. */
final class LoudLog extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private static final int MOST = 20;

    /** The handlers that the framework misses when a client goes in the very moment its WebSocket is opened. */
    private static final Set<String> GONE = Set.of("micronaut-inbound-handler", "http-server-codec");

    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final List<String> complaints = new CopyOnWriteArrayList<>();

    LoudLog() {
        start();
        root.addAppender(this);
    }

    @Override
    protected void append(ILoggingEvent event) {
        if (event.getLevel().isGreaterOrEqual(Level.WARN)
                && !isGone(event.getThrowableProxy())
                && complaints.size() < MOST) {
            var thrown = event.getThrowableProxy();
            complaints.add(event.getLevel() + " " + event.getLoggerName() + " " + event.getFormattedMessage()
                    + (thrown == null ? "" : "\n" + ThrowableProxyUtil.asString(thrown)));
        }
    }

    private static boolean isGone(@Nullable IThrowableProxy thrown) {
        return thrown != null
                && thrown.getClassName().equals(NoSuchElementException.class.getName())
                && GONE.contains(thrown.getMessage());
    }

    List<String> complaints() {
        return List.copyOf(complaints);
    }

    @Override
    public void close() {
        root.detachAppender(this);
    }
}
