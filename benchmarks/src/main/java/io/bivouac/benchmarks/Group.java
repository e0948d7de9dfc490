package io.bivouac.benchmarks;

/** Benchmarks that share what they need to be set up, and a table. */
interface Group {
    String name();

    /** One line for the list of groups. */
    String about();

    /** Leaves nothing running when it returns or throws. */
    Table measure(Scale scale) throws Exception;
}
