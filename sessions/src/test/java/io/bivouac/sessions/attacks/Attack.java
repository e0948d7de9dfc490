package io.bivouac.sessions.attacks;

import io.bivouac.agentlink.testing.Http;
import io.bivouac.agentlink.testing.PodHouse;

/**
 * One row of the table.
 *
 * @param answer what the attacker gets: a status and an error's name, or the code of a frame
 * @param audit the action of the row that it leaves
 */
record Attack(String theme, String attempt, String answer, String audit, Attempt act) {
    /** Gives what was answered, spelled as in the table. */
    interface Attempt {
        String on(PodHouse house) throws Exception;
    }

    static String of(Http.Answer answer) {
        var name = answer.body() == null ? null : answer.body().get("name");
        return answer.status() + (name == null ? "" : " " + name.getStringValue());
    }

    String line() {
        return "| " + theme + " | " + attempt + " | " + answer + " | `" + audit + "` |";
    }
}
