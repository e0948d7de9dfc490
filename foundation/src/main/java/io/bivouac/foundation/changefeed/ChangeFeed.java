package io.bivouac.foundation.changefeed;

import io.bivouac.foundation.database.DatabaseSettings;
import io.bivouac.foundation.database.DatabaseUrl;
import io.bivouac.foundation.database.Outage;
import io.bivouac.foundation.loop.Loop;
import io.bivouac.sandboxmodel.SandboxState;
import io.micronaut.context.annotation.Context;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells its listeners which rows changed, and whose events were published. Thread-safe; listeners are called on
 * the feed's one thread and must return at once.
 */
@Context
public class ChangeFeed {
    private static final Logger LOG = LoggerFactory.getLogger(ChangeFeed.class);
    private static final String PUBLISHED = "bivouac_published";
    private static final int WAIT_MILLIS = 10_000;
    private static final Duration RETRY = Duration.ofMillis(250);

    private final DatabaseUrl url;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final Outage outage = new Outage(LOG, "Lost the change feed", "The change feed is back");
    private final Loop loop = new Loop("change-feed", this::follow, RETRY, outage);

    /** Hears of changes. */
    public interface Listener {
        /** This row was written. */
        void changed(String id);

        /** This sandbox's row was written, and has this state now. */
        default void changed(String id, SandboxState state) {
            changed(id);
        }

        /** Events of this project were published. */
        default void published(String project) {}

        /** The feed was (re)connected: changes may have been missed, so look again. */
        void reconnected();
    }

    ChangeFeed(DatabaseSettings settings) {
        this.url = settings.parsed();
    }

    public void listen(Listener listener) {
        listeners.add(listener);
    }

    @PostConstruct
    void start() {
        loop.start();
    }

    /** Follows the changes until the connection is lost or the feed is closed. */
    private Duration follow() throws SQLException {
        try (var connection = DriverManager.getConnection(url.jdbcUrl(), url.driverProperties());
                var statement = connection.createStatement()) {
            statement.execute("LISTEN bivouac_changes");
            statement.execute("LISTEN " + PUBLISHED);
            outage.works();
            tell(Listener::reconnected);
            var notifications = connection.unwrap(PGConnection.class);
            while (!loop.isStopping()) {
                var batch = notifications.getNotifications(WAIT_MILLIS);
                if (batch == null || batch.length == 0) {
                    // A quiet line may be a dead one.
                    statement.execute("SELECT 1");
                    continue;
                }
                for (var notification : batch) {
                    tell(notification);
                }
            }
        }
        return Duration.ZERO;
    }

    private void tell(PGNotification notification) {
        var parameter = notification.getParameter();
        if (notification.getName().equals(PUBLISHED)) {
            tell(listener -> listener.published(parameter));
            return;
        }
        int space = parameter.indexOf(' ');
        if (space < 0) {
            tell(listener -> listener.changed(parameter));
            return;
        }
        var id = parameter.substring(0, space);
        // A newer program on the same database may know states that this one does not.
        SandboxState.ofWireName(parameter.substring(space + 1))
                .ifPresentOrElse(
                        state -> tell(listener -> listener.changed(id, state)),
                        () -> tell(listener -> listener.changed(id)));
    }

    private void tell(Consumer<Listener> news) {
        for (var listener : listeners) {
            try {
                news.accept(listener);
            } catch (RuntimeException failed) {
                // One listener's trouble must not silence the feed for the others.
                LOG.error("A listener of the change feed failed", failed);
            }
        }
    }

    @PreDestroy
    void close() {
        // Not waited for: an interrupt does not end a read from a socket.
        loop.stop(Duration.ZERO);
    }
}
