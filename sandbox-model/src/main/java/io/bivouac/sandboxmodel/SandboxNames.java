package io.bivouac.sandboxmodel;

/** Finds sandboxes by what people call them. */
public interface SandboxNames {
    /**
     * The sandbox of a project that has this name, or else whose id begins with this text. One that expired gives way
     * to one that did not.
     *
     * @throws io.bivouac.sandboxmodel.error.BivouacException when none fits or several do; it has their ids
     */
    SandboxId find(String project, String text);
}
