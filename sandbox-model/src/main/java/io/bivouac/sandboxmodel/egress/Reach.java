package io.bivouac.sandboxmodel.egress;

/** How far a policy lets a program towards a host. */
public enum Reach {
    CLOSED,
    /** Every address of it must be public, whatever else the operator has opened. */
    IF_PUBLIC,
    /** A rule or a preset names it. */
    LISTED
}
