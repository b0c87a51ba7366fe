package dev.stowage.cli.bench;

/** Something of a run that does not end by itself. */
public interface Ending {

    /** Ends it for good; returns when it has ended. */
    void end() throws InterruptedException;
}
