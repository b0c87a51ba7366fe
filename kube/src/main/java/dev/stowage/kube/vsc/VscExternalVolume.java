package dev.stowage.kube.vsc;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;

/** A volume that was on its array before; deleting this resource leaves it there. */
@Group(VscResources.GROUP)
@Version(VscResources.VERSION)
@Kind("ExternalVolume")
@Singular("externalvolume")
@Plural("externalvolumes")
@AdditionalPrinterColumn(name = "Type", jsonPath = ".spec.volumeType", type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(name = "Capacity", jsonPath = ".spec.size", type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(name = "VPSA", jsonPath = ".status.VPSAID", type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(name = "VPSA Volume ID", jsonPath = ".status.ID", type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
        name = "Age",
        jsonPath = ".metadata.creationTimestamp",
        type = AdditionalPrinterColumn.Type.DATE)
public final class VscExternalVolume extends CustomResource<VscVolume.Spec, VscVolume.Status> {

    @Override
    protected VscVolume.Spec initSpec() {
        return VscVolume.Spec.NONE;
    }

    @Override
    protected VscVolume.Status initStatus() {
        return VscVolume.Status.NONE;
    }
}
