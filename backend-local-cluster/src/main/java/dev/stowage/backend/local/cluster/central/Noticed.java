package dev.stowage.backend.local.cluster.central;

import dev.stowage.kube.Cache;
import org.jspecify.annotations.Nullable;

/** Every change wakes those who wait for one. */
record Noticed<R>(Notice notice) implements Cache.Changes<R> {

    @Override
    public void seen(@Nullable R before, R now) {
        notice.give();
    }

    @Override
    public void gone(R last) {
        notice.give();
    }
}
