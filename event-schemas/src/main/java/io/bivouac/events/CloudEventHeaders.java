package io.bivouac.events;

import java.util.Optional;

/** The headers of an event's Kafka record: CloudEvents 1.0, Kafka binding, binary mode. */
public final class CloudEventHeaders {
    public static final String SPEC_VERSION = "ce_specversion";
    public static final String ID = "ce_id";
    public static final String TYPE = "ce_type";
    public static final String SOURCE = "ce_source";
    public static final String SUBJECT = "ce_subject";
    public static final String TIME = "ce_time";

    /** An extension: the place of the event among those of its subject. */
    public static final String SEQUENCE = "ce_sequence";

    public static final String CONTENT_TYPE = "content-type";

    /** The value of {@link #SPEC_VERSION}. */
    public static final String VERSION = "1.0";

    /** The value of {@link #CONTENT_TYPE}. */
    public static final String JSON = "application/json";

    private static final String PROJECTS = "/projects/";

    private CloudEventHeaders() {}

    /** The value of {@link #SOURCE} for a project's events. */
    public static String sourceOf(String project) {
        return PROJECTS + project;
    }

    /** The project whose events have this source; empty where it is none of ours. */
    public static Optional<String> projectOf(String source) {
        return source.startsWith(PROJECTS) ? Optional.of(source.substring(PROJECTS.length())) : Optional.empty();
    }
}
