package dev.stowage.iscsi;

import java.util.Optional;

/**
 * A unit that this machine is connected to.
 *
 * @param trouble why nothing can be read from it or written to it now
 */
public record Session(UnitAddress address, String serial, Optional<String> trouble) {}
