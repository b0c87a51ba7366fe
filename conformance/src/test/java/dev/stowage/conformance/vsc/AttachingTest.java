package dev.stowage.conformance.vsc;

import static dev.stowage.conformance.vsc.VscCluster.blockVolume;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import csi.v1.VolumeCapability;
import dev.stowage.arrayapi.ArrayServer;
import dev.stowage.arrayapi.ArrayUnit;
import dev.stowage.arrayapi.NewVolume;
import dev.stowage.backend.vsc.secret.NodeKey;
import dev.stowage.backend.vsc.secret.Sealing;
import dev.stowage.conformance.pool.Eventually;
import dev.stowage.conformance.pool.Refused;
import dev.stowage.kube.vsc.Vpsa;
import dev.stowage.kube.vsc.VscExternalVolume;
import dev.stowage.kube.vsc.VscVolume;
import dev.stowage.kube.vsc.VscVolumeAttachment;
import dev.stowage.kube.vsc.VscVolumeAttachment.State;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.grpc.Status;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Volumes on arrays become reachable for one node, and for another when the first has lost its access. */
class AttachingTest {

    private static VscCluster cluster;
    private static RunningArray array;
    private static NodeKey one;
    private static NodeKey two;

    @BeforeAll
    static void start() {
        cluster = VscCluster.start();
        array = cluster.ready(1).getFirst();
        one = cluster.node("one");
        two = cluster.node("two");
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @AfterEach
    void behave() {
        array.misbehave("");
    }

    private static VscVolumeAttachment attachment(String volume, String node) {
        return cluster.get(VscVolumeAttachment.class, volume + "." + node);
    }

    private static String id(String volume) {
        return cluster.get(VscVolume.class, volume).getStatus().id();
    }

    @Test
    void aNodeIsToldWhereTheVolumeIsAndTheSecretIsForItAlone() {
        cluster.create(blockVolume("pvc-told", 1));

        var context = cluster.attach("pvc-told", "one");

        var status = attachment("pvc-told", "one").getStatus();
        var block = Objects.requireNonNull(status.block());
        var unit = array.client().units(id("pvc-told")).getFirst();
        assertThat(status.state()).isEqualTo(State.ISCSI_LOGIN_PENDING);
        assertThat(status.vpsaServerId()).isEqualTo(unit.server());
        assertThat(context)
                .containsEntry("protocol", "iscsi")
                .containsEntry("target", unit.target())
                .containsEntry("lun", String.valueOf(block.lun()));
        String secret = array.client().controller().orElseThrow().chapSecret();
        String sealed = context.getOrDefault("sealedChap", "");
        assertThat(context.toString()).doesNotContain(secret);
        assertThat(one.open("pvc-told", sealed).reveal()).isEqualTo(secret);
        assertThatThrownBy(() -> two.open("pvc-told", sealed)).hasMessageNotContaining(secret);
        var proof = unit.proof().orElseThrow();
        String sealedProof = context.getOrDefault("sealedTargetChap", "");
        assertThat(context)
                .containsEntry("serial", unit.serial().orElseThrow())
                .containsEntry("targetChapUser", proof.user());
        assertThat(context.toString()).doesNotContain(proof.secret());
        assertThat(one.open(Sealing.ofTarget("pvc-told"), sealedProof).reveal()).isEqualTo(proof.secret());
        assertThatThrownBy(() -> one.open("pvc-told", sealedProof)).hasMessageNotContaining(proof.secret());
        assertThat(cluster.attach("pvc-told", "one")).containsEntry("lun", String.valueOf(block.lun()));

        cluster.detach("pvc-told", "one");
        cluster.detach("pvc-told", "one");
        assertThat(attachment("pvc-told", "one")).isNull();
        assertThat(array.client().units(id("pvc-told"))).isEmpty();
        assertThat(array.client().servers()).isEmpty();
        cluster.delete("pvc-told");
    }

    @Test
    void aSecondNodeWaitsUntilTheFirstHasLetGo() {
        cluster.create(blockVolume("pvc-one", 1));
        cluster.attach("pvc-one", "one");

        Refused.with(Status.Code.FAILED_PRECONDITION, () -> cluster.attach("pvc-one", "two"))
                .contains("pvc-one")
                .contains("node one");
        Refused.with(Status.Code.FAILED_PRECONDITION, () -> cluster.delete("pvc-one"))
                .contains("attached to one");
        Refused.with(Status.Code.NOT_FOUND, () -> cluster.attach("pvc-one", "nobody"))
                .contains("VSCNode");

        cluster.detach("pvc-one", "one");
        cluster.attach("pvc-one", "two");
        assertThat(array.client().units(id("pvc-one")))
                .singleElement()
                .extracting(ArrayUnit::server)
                .isEqualTo(attachment("pvc-one", "two").getStatus().vpsaServerId());
        cluster.detach("pvc-one", "two");
        cluster.delete("pvc-one");
    }

    @Test
    void severalNodesMayShareWhatIsMadeForIt() {
        cluster.create(blockVolume("pvc-shared", 1));
        var shared = VolumeCapability.newBuilder()
                .setBlock(VolumeCapability.BlockVolume.getDefaultInstance())
                .setAccessMode(VolumeCapability.AccessMode.newBuilder()
                        .setMode(VolumeCapability.AccessMode.Mode.MULTI_NODE_MULTI_WRITER))
                .build();

        cluster.attach("pvc-shared", "one", shared);
        cluster.attach("pvc-shared", "two", shared);

        assertThat(array.client().units(id("pvc-shared"))).hasSize(2);
        cluster.detach("pvc-shared", "one");
        assertThat(array.client().servers())
                .extracting(ArrayServer::displayName)
                .containsExactly("two");
        cluster.detach("pvc-shared", "two");
        cluster.delete("pvc-shared");
    }

    @Test
    void aNodesRecordIsOnlyTakenAwayWithItsLastVolume() {
        cluster.create(blockVolume("pvc-a", 1));
        cluster.create(blockVolume("pvc-b", 1));
        cluster.attach("pvc-a", "one");
        cluster.attach("pvc-b", "one");

        cluster.detach("pvc-a", "one");
        assertThat(array.client().servers()).hasSize(1);
        cluster.detach("pvc-b", "one");
        assertThat(array.client().servers()).isEmpty();
        cluster.delete("pvc-a");
        cluster.delete("pvc-b");
    }

    @Test
    void anAnswerThatIsLostLeavesNothingOver() {
        cluster.create(blockVolume("pvc-dropped", 1));
        array.misbehave(
                "drop-after on POST /api/servers.json times 1; drop-after on POST /api/servers/*/volumes.json times 1;"
                        + " drop-after on POST /api/volumes/*/detach.json times 1; drop-after on DELETE /api/servers/* times 1");

        Eventually.assertThat(() -> cluster.attach("pvc-dropped", "one"));
        assertThat(array.client().servers()).hasSize(1);
        assertThat(array.client().units(id("pvc-dropped"))).hasSize(1);

        Eventually.assertThat(() -> cluster.detach("pvc-dropped", "one"));
        assertThat(array.client().servers()).isEmpty();
        assertThat(attachment("pvc-dropped", "one")).isNull();
        cluster.delete("pvc-dropped");
    }

    @Test
    void aLostNodeIsShutOutAndItsVolumeCanGoElsewhere() {
        cluster.create(blockVolume("pvc-lost", 1));
        String former = cluster.attach("pvc-lost", "one").get("attachment");
        assertThat(cluster.attach("pvc-lost", "one")).containsEntry("attachment", former);
        Refused.with(Status.Code.FAILED_PRECONDITION, () -> cluster.attach("pvc-lost", "two"));

        // An array that does not answer cannot confirm, and then the volume stays.
        array.misbehave("fail 11099 on POST /api/volumes/*/detach.json");
        var node = cluster.client().resource(node("one", "Unknown")).create();
        cluster.client().resource(node).updateStatus();
        Eventually.assertThat(() -> assertThat(cluster.log()).contains("cannot be shut out of volume pvc-lost yet"));
        Refused.with(Status.Code.FAILED_PRECONDITION, () -> cluster.attach("pvc-lost", "two"));

        array.misbehave("");
        Eventually.assertThat(
                () -> assertThat(array.client().units(id("pvc-lost"))).isEmpty());
        Eventually.assertThat(() -> assertThat(cluster.events("VolumeAttachment", "pvc-lost.one"))
                .extracting(Event::getReason)
                .contains("Fenced"));
        cluster.attach("pvc-lost", "two");
        assertThat(array.client().units(id("pvc-lost"))).hasSize(1);
        cluster.detach("pvc-lost", "one");
        assertThat(array.client().units(id("pvc-lost"))).hasSize(1);
        cluster.detach("pvc-lost", "two");
        cluster.client().resource(node).delete();
        assertThat(cluster.attach("pvc-lost", "one").get("attachment")).isNotEqualTo(former);
        cluster.detach("pvc-lost", "one");
        cluster.delete("pvc-lost");
    }

    @Test
    void aNodeThatWasShutOutAndComesBackGetsAnotherAttachment() {
        cluster.create(blockVolume("pvc-back", 1));
        String former = cluster.attach("pvc-back", "one").get("attachment");
        var node = cluster.client().resource(node("one", "Unknown")).create();
        cluster.client().resource(node).updateStatus();
        Eventually.assertThat(
                () -> assertThat(array.client().units(id("pvc-back"))).isEmpty());
        cluster.client().resource(node).delete();

        // Kubernetes has not noticed, and never detached it.
        var context = cluster.attach("pvc-back", "one");

        assertThat(context.get("attachment")).isNotEqualTo(former);
        assertThat(array.client().units(id("pvc-back"))).hasSize(1);
        assertThat(attachment("pvc-back", "one").getMetadata().getAnnotations()).isNullOrEmpty();
        cluster.detach("pvc-back", "one");
        cluster.delete("pvc-back");
    }

    private static Node node(String name, String ready) {
        return new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewStatus()
                .addNewCondition()
                .withType("Ready")
                .withStatus(ready)
                .endCondition()
                .endStatus()
                .build();
    }

    @Test
    void anExternalVolumeBecomesOneOfOursWhenItIsFirstUsed() {
        var client = array.client();
        String id = client.createVolume(
                new NewVolume("old-ledger", 1, client.pools().getFirst().id(), true, Map.of()));
        cluster.edit(
                Vpsa.class,
                array.name(),
                vpsa -> vpsa.getMetadata()
                        .setAnnotations(Map.of("storage.zadara.com/vsc-manage-external-volumes", "true")));
        String name = array.name() + "-" + id;
        Eventually.assertThat(
                () -> assertThat(cluster.get(VscExternalVolume.class, name)).isNotNull());

        cluster.attach(name, "one");

        assertThat(cluster.get(VscExternalVolume.class, name)).isNull();
        assertThat(cluster.get(VscVolume.class, name).getStatus().id()).isEqualTo(id);
        cluster.detach(name, "one");
        assertThat(client.volume(id)).isPresent();
        cluster.delete(name);
        assertThat(client.volume(id)).isEmpty();
    }
}
