package dev.stowage.manager.apply;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An object that somebody else had changed or deleted.
 *
 * @param by who, as far as the API server knows
 */
public record Restored(String kind, String object, @Nullable String by, List<String> changes) {}
