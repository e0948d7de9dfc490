package io.bivouac.identity.turtle;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.eclipse.rdf4j.model.Model;
import org.eclipse.rdf4j.model.Statement;
import org.eclipse.rdf4j.model.impl.LinkedHashModel;
import org.eclipse.rdf4j.rio.RDFHandlerException;
import org.eclipse.rdf4j.rio.RDFParseException;
import org.eclipse.rdf4j.rio.helpers.AbstractRDFHandler;
import org.eclipse.rdf4j.rio.turtle.TurtleParser;
import org.eclipse.rdf4j.rio.turtle.TurtleParserSettings;

/** Turns Turtle into statements. */
public final class Turtle {
    public static final String TYPE = "text/turtle";
    static final int MOST_STATEMENTS = 10_000;

    private Turtle() {}

    /** @param base what relative addresses in it are relative to: where it was found */
    public static Model parse(byte[] text, String base) throws BadTurtle {
        if (Nesting.isTooDeep(text)) {
            throw new BadTurtle("it is nested more than " + Nesting.DEEPEST + " deep");
        }
        return parseAnyDepth(text, base);
    }

    /** Whatever the count of brackets has overlooked must not end the thread either. */
    static Model parseAnyDepth(byte[] text, String base) throws BadTurtle {
        var found = new LinkedHashModel();
        var parser = new TurtleParser();
        parser.getParserConfig().set(TurtleParserSettings.ACCEPT_TURTLESTAR, false);
        parser.setRDFHandler(new AbstractRDFHandler() {
            @Override
            public void handleStatement(Statement statement) {
                if (found.size() >= MOST_STATEMENTS) {
                    throw new RDFHandlerException("it has more than " + MOST_STATEMENTS + " statements");
                }
                found.add(statement);
            }
        });
        try {
            parser.parse(new ByteArrayInputStream(text), base);
            return found;
        } catch (RDFParseException | RDFHandlerException | IOException malformed) {
            throw new BadTurtle(malformed.getMessage());
        } catch (StackOverflowError tooDeep) {
            throw new BadTurtle("it is nested too deep");
        }
    }
}
