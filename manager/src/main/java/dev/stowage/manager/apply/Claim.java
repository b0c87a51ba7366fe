package dev.stowage.manager.apply;

import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * For whom objects are made.
 *
 * @param resource who is told about them
 * @param owner as {@link Ownership#owner} finds it on them
 * @param taking which objects that were there before may be taken over
 * @param advice what to do about objects of others, or how to let them be changed
 */
public record Claim(HasMetadata resource, String owner, Taking taking, Advice advice) {

    /** Which objects that belong to nobody may be taken over. */
    public enum Taking {
        /** None: whoever made them may still look after them. */
        NOTHING,
        /** Those about which nothing would have to change but whose they are. */
        EQUALS,
        /** All, and they may be changed. */
        ANYTHING
    }

    /**
     * What the user can do.
     *
     * @param taken about an object that belongs to another
     * @param there about one that belongs to nobody and would have to change, or may not be taken over
     */
    public record Advice(String taken, String there) {}
}
