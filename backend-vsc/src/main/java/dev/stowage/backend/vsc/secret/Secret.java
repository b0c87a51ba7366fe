package dev.stowage.backend.vsc.secret;

/** A text that is never shown by accident. */
public record Secret(String reveal) {

    @Override
    public String toString() {
        return "(secret)";
    }
}
