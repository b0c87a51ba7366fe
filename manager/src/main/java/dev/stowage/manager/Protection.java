package dev.stowage.manager;

import dev.stowage.kube.csidriver.CsiDriverDeployment;
import java.util.Objects;

/**
 * Whether a driver stays while nodes have volumes of it.
 *
 * @param byDefault for those that do not say
 */
record Protection(boolean byDefault) {

    boolean of(CsiDriverDeployment.Spec spec) {
        return Objects.requireNonNullElse(spec.protectVolumes(), byDefault);
    }
}
