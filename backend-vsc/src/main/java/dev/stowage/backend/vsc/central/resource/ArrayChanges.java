package dev.stowage.backend.vsc.central.resource;

import dev.stowage.kube.Cache;
import dev.stowage.kube.vsc.Vpsa;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Tells whom a change of an array's resource concerns.
 *
 * <p>Every look at an array ends in its status, with the time of the look. If that were a reason to look again, looking would never end;
 * only the class, which is the sum of its arrays, has to hear of it.
 */
record ArrayChanges(Resources.Listeners listeners) implements Cache.Changes<Vpsa> {

    @Override
    public void seen(@Nullable Vpsa before, Vpsa now) {
        if (before == null || concernsTheArray(before, now)) {
            listeners.arrayChanged(now.getMetadata().getName());
        }
        listeners.classChanged(now.getSpec().vscStorageClassName());
        if (before != null
                && !before.getSpec().vscStorageClassName().equals(now.getSpec().vscStorageClassName())) {
            listeners.classChanged(before.getSpec().vscStorageClassName());
        }
    }

    @Override
    public void gone(Vpsa last) {
        listeners.arrayChanged(last.getMetadata().getName());
        listeners.classChanged(last.getSpec().vscStorageClassName());
    }

    /** What is told again although nothing has changed is looked at again, too. */
    private static boolean concernsTheArray(Vpsa before, Vpsa now) {
        var was = before.getMetadata();
        var is = now.getMetadata();
        return Objects.equals(was.getResourceVersion(), is.getResourceVersion())
                || !Objects.equals(was.getGeneration(), is.getGeneration())
                || !Objects.equals(was.getUid(), is.getUid())
                || !Objects.equals(was.getDeletionTimestamp(), is.getDeletionTimestamp())
                || !Objects.equals(was.getAnnotations(), is.getAnnotations());
    }
}
