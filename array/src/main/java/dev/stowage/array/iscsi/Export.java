package dev.stowage.array.iscsi;

import java.util.List;

/** A server and what is attached to it. */
public record Export(Server server, List<Unit> units) {
    public Export {
        units = List.copyOf(units);
    }
}
