package io.bivouac.identity.turtle;

/** A text that is no Turtle, or too much of it. */
public class BadTurtle extends Exception {
    BadTurtle(String message) {
        super(message);
    }
}
