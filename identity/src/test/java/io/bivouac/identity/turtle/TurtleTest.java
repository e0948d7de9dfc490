package io.bivouac.identity.turtle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TurtleTest {
    private static final String BASE = "https://pod.example/card";
    private static final int BOTTOMLESS = 100_000;

    @ParameterizedTest
    @ValueSource(strings = {"(", "[ <p> ", "(\")\" ", "(#)\n", "(<)> ", "(\"\"\")\"\"\" ", "(')' ", "(a:\\) "})
    void bracketsWithoutEndAreRefusedBeforeTheyAreParsed(String opening) {
        var text = bytes("@prefix a: <#> . <a> <b> " + opening.repeat(Nesting.DEEPEST + 1));
        assertThatThrownBy(() -> Turtle.parse(text, BASE))
                .isInstanceOf(BadTurtle.class)
                .hasMessageContaining("nested more than 64 deep");
    }

    @ParameterizedTest
    @ValueSource(strings = {"(", "[ <p> ", "<< "})
    void aParserThatUsesUpItsStackRefusesTheText(String opening) {
        var text = bytes("<a> <b> " + opening.repeat(BOTTOMLESS));
        assertThatThrownBy(() -> Turtle.parseAnyDepth(text, BASE)).isInstanceOf(BadTurtle.class);
    }

    @Test
    void ordinaryNestingIsRead() throws BadTurtle {
        int deep = Nesting.DEEPEST;
        var text = bytes("<a> <b> " + "(".repeat(deep) + " <c> " + ")".repeat(deep) + " .");
        assertThat(Turtle.parse(text, BASE)).hasSize(2 * deep + 1);
    }

    @Test
    void bracketsInStringsAddressesAndCommentsAreNoNesting() throws BadTurtle {
        var many = "([".repeat(Nesting.DEEPEST);
        var text = bytes("<a> <b" + "(".repeat(Nesting.DEEPEST + 1) + "> \"" + many + "\\\"" + many + "\", '''" + many
                + "\n'" + many + "''' . #" + many);
        assertThat(Turtle.parse(text, BASE)).hasSize(2);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
