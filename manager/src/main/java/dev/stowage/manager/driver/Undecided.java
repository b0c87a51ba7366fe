package dev.stowage.manager.driver;

import dev.stowage.kube.csidriver.CsiDriverDeployment.Sidecars;
import dev.stowage.kube.csidriver.CsiDriverDeployment.Spec;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What nobody can decide but a driver that tells what it can do. */
public final class Undecided {

    private final Spec spec;
    private final List<String> fields = new ArrayList<>();

    private Undecided(Spec spec) {
        this.spec = spec;
    }

    /** The fields by which somebody could decide it. */
    public static List<String> fields(Spec spec) {
        return new Undecided(spec).all();
    }

    private List<String> all() {
        sidecar("resizer", Sidecar.RESIZER, Sidecars::resizer);
        sidecar("snapshotter", Sidecar.SNAPSHOTTER, Sidecars::snapshotter);
        if (Wish.of(spec, Sidecars::snapshotter) != Wish.NEVER) {
            sidecar("groupSnapshots", Sidecar.SNAPSHOTTER, Sidecars::groupSnapshots);
        }
        if (spec.csiDriver() == null || spec.csiDriver().attachRequired() == null) {
            fields.add("spec.csiDriver.attachRequired");
        }
        return List.copyOf(fields);
    }

    /** None is added where there is no controller, or where its template brings it along. */
    private void sidecar(String field, Sidecar sidecar, Function<Sidecars, @Nullable String> which) {
        var controller = spec.driverControllerTemplate();
        if (controller != null && !sidecar.isIn(controller) && Wish.of(spec, which) == Wish.AUTO) {
            fields.add("spec.sidecars." + field);
        }
    }
}
