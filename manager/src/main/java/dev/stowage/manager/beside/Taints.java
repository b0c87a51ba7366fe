package dev.stowage.manager.beside;

import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What keeps pods away from nodes. */
public final class Taints {

    private Taints() {}

    /** Whether a pod may come, or stay, although the node has the taint. */
    public static boolean tolerates(Toleration toleration, Taint taint) {
        boolean exists = "Exists".equals(toleration.getOperator());
        boolean anyKey = isEmpty(toleration.getKey()) && exists;
        return (isEmpty(toleration.getEffect()) || toleration.getEffect().equals(taint.getEffect()))
                && (anyKey || Objects.equals(toleration.getKey(), taint.getKey()))
                && (exists || text(toleration.getValue()).equals(text(taint.getValue())));
    }

    private static boolean isEmpty(@Nullable String value) {
        return value == null || value.isEmpty();
    }

    private static String text(@Nullable String value) {
        return value == null ? "" : value;
    }
}
