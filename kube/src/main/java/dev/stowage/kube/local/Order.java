package dev.stowage.kube.local;

import com.fasterxml.jackson.annotation.JsonIgnore;

/** What a node is asked for. */
public interface Order {

    /** The node whose pool it is about. */
    String node();

    /** The name that the caller gave to the thing. */
    String name();

    /** The number of this wish; it only ever rises. */
    long attempt();

    /** Whether the wish is that the thing be gone. */
    @JsonIgnore
    boolean wantsDeletion();
}
