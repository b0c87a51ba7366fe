package dev.stowage.arrayapi;

import java.util.Optional;

/**
 * A volume as a server sees it.
 *
 * @param serial the unit's serial number, where the array tells it
 */
public record ArrayUnit(
        String server, String target, int lun, boolean readOnly, boolean complete, Optional<String> serial) {

    static ArrayUnit of(Answer answer) {
        return new ArrayUnit(
                answer.text("name"),
                answer.text("target"),
                answer.number("lun", -1),
                answer.yes("read_only"),
                answer.some("status").map(ArrayUnit::attached).orElse(true),
                answer.some("serial"));
    }

    /** What is being made or taken away cannot be used; an array that tells something else about the server does not mean that. */
    private static boolean attached(String status) {
        return !status.equalsIgnoreCase("Attaching") && !status.equalsIgnoreCase("Detaching");
    }
}
