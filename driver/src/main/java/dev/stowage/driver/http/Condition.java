package dev.stowage.driver.http;

import java.util.Optional;

/** What can keep the process from being alive or ready. */
public interface Condition {

    /** What is wrong; empty when nothing is. It must answer at once and never touch storage. */
    Optional<String> problem();
}
