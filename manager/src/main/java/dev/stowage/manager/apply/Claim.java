package dev.stowage.manager.apply;

import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * For whom objects are made.
 *
 * @param resource who is told about them
 * @param owner as {@link Ownership#owner} finds it on them
 * @param consent whether objects that were there before may be changed
 * @param advice what to do about objects of others, or how to let them be changed
 */
public record Claim(HasMetadata resource, String owner, boolean consent, Advice advice) {

    /**
     * What the user can do.
     *
     * @param taken about an object that belongs to another
     * @param differs about one that belongs to nobody and would have to change
     */
    public record Advice(String taken, String differs) {}
}
