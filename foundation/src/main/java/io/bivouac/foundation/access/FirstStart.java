package io.bivouac.foundation.access;

import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import io.micronaut.transaction.TransactionOperations;
import jakarta.annotation.PostConstruct;
import java.sql.Connection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the first project, and sees to it that the operator's key from the settings works. */
@Context
@Requires(property = "bivouac.api-key")
class FirstStart {
    private static final Logger LOG = LoggerFactory.getLogger(FirstStart.class);
    private static final String PROJECT = "default";
    private static final int SHORTEST_KEY = 16;

    private final Projects projects;
    private final ApiKeys keys;
    private final TransactionOperations<Connection> transactions;
    private final String text;

    FirstStart(
            Projects projects,
            ApiKeys keys,
            TransactionOperations<Connection> transactions,
            @Value("${bivouac.api-key}") String text) {
        if (text.length() < SHORTEST_KEY) {
            throw new IllegalArgumentException("BIVOUAC_API_KEY must have at least " + SHORTEST_KEY + " characters");
        }
        this.projects = projects;
        this.keys = keys;
        this.transactions = transactions;
        this.text = text;
    }

    @PostConstruct
    void run() {
        transactions.executeWrite(status -> {
            // Two servers on one new database: the second waits here and then finds the first one's work.
            lockProjects(status.getConnection());
            var project = projects.none() ? projects.store(PROJECT) : projects.oldest();
            var key = new KeyText(text);
            if (!keys.isKnown(key)) {
                keys.store(project.id(), "first", key, Role.ADMIN, true);
                LOG.info("The key from the settings is now a system key of project {}", project.id());
            }
            return null;
        });
    }

    private static void lockProjects(Connection connection) {
        try (var statement = connection.createStatement()) {
            statement.execute("LOCK TABLE projects IN SHARE ROW EXCLUSIVE MODE");
        } catch (java.sql.SQLException failed) {
            throw new IllegalStateException("cannot lock the projects", failed);
        }
    }
}
