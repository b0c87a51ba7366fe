package dev.stowage.manager.driver;

import org.jspecify.annotations.Nullable;

/**
 * What a look at a node gave.
 *
 * @param name a type of {@link NodeConditions}
 * @param ok nothing when it could not be told
 */
public record Finding(String name, @Nullable Boolean ok, String message) {}
