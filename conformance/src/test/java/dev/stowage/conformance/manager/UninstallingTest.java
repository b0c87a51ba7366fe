package dev.stowage.conformance.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.conformance.pool.Eventually;
import dev.stowage.kube.csidriver.CsiDriverDeployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The end of a deployment takes everything with it that was made for it, at the right time, and nothing else. */
class UninstallingTest {

    private static final String NODE = "node-1";

    @RegisterExtension
    static final Lasting<ManagedPlane> PLANE = Lasting.forTheRun(ManagedPlane.class, ManagedPlane::withManager);

    private static KubernetesClient client() {
        return PLANE.get().client();
    }

    private static OnNode on(Deployed deployed) {
        return new OnNode(client(), deployed, NODE);
    }

    private static Deployed protectedOne() {
        return Deployed.nothing(client())
                .apply(spec -> spec.put("protectVolumes", true))
                .awaitSynced();
    }

    private static void awaitInvalid(Deployed deployed) {
        Eventually.assertThat(
                () -> assertThat(deployed.condition("SyncSuccessful")).isEqualTo("False"));
    }

    private static void awaitBlockers(Deployed deployed, String... blockers) {
        Eventually.assertThat(() -> assertThat(deployed.status().blockers()).containsExactly(blockers));
    }

    private static void awaitEnd(Deployed deployed) {
        Eventually.assertThat(() -> assertThat(deployed.resource().get()).isNull());
    }

    @Test
    void deletionIsForcefulAndNamesTheVolumesThatAreStillAttached() {
        var deployed = Deployed.whole(client());
        on(deployed).attach("pv-forceful");

        deployed.resource().delete();

        Eventually.assertThat(() -> assertThat(deployed.resource().get()).isNull());
        assertThat(deployed.events())
                .filteredOn(event -> event.getReason().equals("VolumesAttached"))
                .singleElement()
                .satisfies(event -> assertThat(event.getMessage()).contains("pv-forceful on node-1"));
    }

    @Test
    void protectionHoldsTheDeletionUpAndListsWhatBlocksIt() {
        var deployed = Deployed.nothing(client())
                .apply(spec -> spec.put("protectVolumes", true))
                .awaitSynced();
        var attachment = on(deployed).attach("pv-protected");

        deployed.resource().delete();

        Eventually.assertThat(() -> assertThat(deployed.status().blockers()).containsExactly("pv-protected on node-1"));
        deployed.controller().delete();
        Eventually.assertThat(() -> assertThat(deployed.controller().get()).isNotNull());
        // Kubernetes removes what has an owner, when the owner is deleted in the foreground.
        assertThat(deployed.node().get().getMetadata().getOwnerReferences()).isEmpty();
        client().storage().v1().volumeAttachments().withName(attachment).delete();
        Eventually.assertThat(() -> assertThat(deployed.resource().get()).isNull());
        assertThat(deployed.node().get()).isNull();
    }

    @Test
    void protectionStaysWhenTheRestOfTheSpecCannotBeReadAnyMore() {
        var deployed = protectedOne();
        String attachment = on(deployed).attach("pv-unreadable");
        deployed.edit(spec -> spec.put("sidecars", Map.of("timeoutSeconds", "60s")));
        awaitInvalid(deployed);

        deployed.resource().delete();

        awaitBlockers(deployed, "pv-unreadable on node-1");
        assertThat(deployed.node().get()).isNotNull();
        on(deployed).detach(attachment);
        awaitEnd(deployed);
    }

    @Test
    void protectionIsAboutTheDriverThatWasDeployedAndNotAboutANameThatMakesNoSense() {
        var deployed = protectedOne();
        String attachment = on(deployed).attach("pv-renamed");
        deployed.edit(spec -> spec.put("driverName", "no name"));
        awaitInvalid(deployed);

        deployed.resource().delete();

        awaitBlockers(deployed, "pv-renamed on node-1");
        on(deployed).detach(attachment);
        awaitEnd(deployed);
    }

    @Test
    void aDriverThatIsRenamedWhileItsRemovalWaitsStaysAsItIs() {
        var deployed = protectedOne();
        String attachment = on(deployed).attach("pv-renamed-late");
        deployed.resource().delete();
        awaitBlockers(deployed, "pv-renamed-late on node-1");
        deployed.edit(spec -> spec.put("driverName", deployed.namespace() + ".example.org"));

        // Another deployment is made whole meanwhile, so the manager had the time.
        Deployed.whole(client());

        awaitBlockers(deployed, "pv-renamed-late on node-1");
        assertThat(deployed.driver().get()).isNotNull();
        on(deployed).detach(attachment);
        awaitEnd(deployed);
    }

    @Test
    void volumesOfDriversThatDoNotAttachBlockWhileTheyAreMounted() {
        var deployed = Deployed.nothing(client())
                .apply(spec -> {
                    spec.put("protectVolumes", true);
                    spec.put("csiDriver", Map.of("attachRequired", false));
                })
                .awaitSynced();
        on(deployed).makeVolume("pv-mounted");
        var pod = on(deployed).mount("pv-mounted");

        deployed.resource().delete();

        awaitBlockers(deployed, "pv-mounted (pod %s/pv-mounted on node-1)".formatted(deployed.namespace()));
        on(deployed).unmount(pod);
        awaitEnd(deployed);
    }

    @Test
    void aVolumeThatIsAttachedAndMountedIsNamedOnce() {
        var deployed = Deployed.whole(client());
        on(deployed).makeVolume("pv-both");
        on(deployed).mount("pv-both");
        on(deployed).attach("pv-both");
        on(deployed).makeVolume("pv-only-mounted");
        on(deployed).mount("pv-only-mounted");

        deployed.resource().delete();

        awaitEnd(deployed);
        assertThat(deployed.events())
                .filteredOn(event -> event.getReason().equals("VolumesAttached"))
                .singleElement()
                .satisfies(event -> assertThat(event.getMessage())
                        .endsWith(": pv-both on node-1, pv-only-mounted (pod %s/pv-only-mounted on node-1)"
                                .formatted(deployed.namespace())));
    }

    @Test
    void aNodeThatDoesNotAnswerHoldsNothingElseUp() {
        var deployed = Deployed.nothing(client())
                .apply(UninstallingTest::besideClients)
                .awaitSynced();
        on(deployed).makeClient();
        var pods = client().pods()
                .inNamespace(deployed.namespace())
                .withLabel(CsiDriverDeployment.OWNER_NAME, Deployed.NAME);
        Eventually.assertThat(() -> assertThat(pods.list().getItems()).hasSize(1));
        on(deployed).bind(pods.list().getItems().getFirst());

        deployed.resource().delete();

        awaitEnd(deployed);
        assertThat(deployed.controller().get()).isNull();
        assertThat(deployed.storageClass("one").get()).isNull();
        // Nobody is there who would end it, but it will when somebody is.
        assertThat(pods.list().getItems())
                .singleElement()
                .satisfies(pod ->
                        assertThat(pod.getMetadata().getDeletionTimestamp()).isNotNull());
    }

    @Test
    void whatHasLostItsLabelsIsRemovedAndWhatHasThoseOfAnotherIsNot() {
        var deployed = Deployed.whole(client());
        // Nothing is restored meanwhile.
        deployed.edit(spec -> spec.put("driverSocket", "not-absolute"));
        awaitInvalid(deployed);
        relabel(
                deployed,
                "one",
                Map.of(CsiDriverDeployment.OWNER_NAMESPACE, "else", CsiDriverDeployment.OWNER_NAME, "where"));
        relabel(deployed, "two", Map.of());

        deployed.resource().delete();

        awaitEnd(deployed);
        assertThat(deployed.storageClass("two").get()).isNull();
        assertThat(deployed.storageClass("one").get()).isNotNull();
        deployed.storageClass("one").delete();
    }

    @Test
    void whatSomebodyTookOutOfOurHandsWhileItWasUnmanagedStays() {
        var deployed = Deployed.whole(client());
        deployed.edit(spec -> spec.put("managementState", "Unmanaged"));
        Eventually.assertThat(() -> assertThat(deployed.status().state()).isEqualTo("Unmanaged"));
        relabel(deployed, "two", Map.of());

        deployed.resource().delete();

        awaitEnd(deployed);
        assertThat(deployed.storageClass("one").get()).isNull();
        assertThat(deployed.storageClass("two").get()).isNotNull();
        deployed.storageClass("two").delete();
    }

    private static void relabel(Deployed deployed, String suffix, Map<String, String> labels) {
        deployed.storageClass(suffix).edit(found -> {
            found.getMetadata().setLabels(labels);
            return found;
        });
    }

    @SuppressWarnings("unchecked") // templates are maps
    private static void besideClients(Map<String, Object> spec) {
        spec.put("besidePods", Map.of("selector", Map.of("matchLabels", Map.of("app", "client"))));
        var template = (Map<String, Object>) Objects.requireNonNull(spec.get("driverPerNodeTemplate"));
        var pod = new HashMap<>((Map<String, Object>) Objects.requireNonNull(template.get("spec")));
        pod.put("terminationGracePeriodSeconds", 1);
        spec.put("driverPerNodeTemplate", Map.of("spec", pod));
    }

    private static void awaitHindrance(Deployed deployed, String... told) {
        Eventually.assertThat(() -> {
            assertThat(deployed.condition("SyncSuccessful")).isEqualTo("False");
            assertThat(deployed.message("SyncSuccessful")).contains(told);
        });
        Eventually.assertThat(() -> assertThat(deployed.events())
                .filteredOn(event -> event.getReason().equals("DeletionFails"))
                .singleElement()
                .satisfies(event -> assertThat(event.getMessage()).contains(told)));
        assertThat(deployed.status().state()).isEqualTo("Removed");
    }

    private static void hold(Deployed deployed, String... finalizers) {
        deployed.storageClass("two").edit(found -> {
            found.getMetadata().setFinalizers(List.of(finalizers));
            return found;
        });
    }

    @Test
    void whatAFinalizerOfSomebodyElseHoldsIsNamed() {
        var deployed = Deployed.whole(client());
        hold(deployed, "example.com/theirs");

        deployed.resource().delete();

        awaitHindrance(deployed, "StorageClass %s-two".formatted(deployed.namespace()), "example.com/theirs");
        assertThat(deployed.node().get()).isNull();
        Idleness.assertThatItWritesNothing(PLANE.get().manager());
        hold(deployed);
        awaitEnd(deployed);
    }

    @Test
    void whatHasLostItsLabelsAndIsHeldIsNamedAsWell() {
        var deployed = Deployed.whole(client());
        // Nothing is restored meanwhile.
        deployed.edit(spec -> spec.put("driverSocket", "not-absolute"));
        awaitInvalid(deployed);
        relabel(deployed, "two", Map.of());
        hold(deployed, "example.com/theirs");

        deployed.resource().delete();

        awaitHindrance(deployed, "StorageClass %s-two".formatted(deployed.namespace()), "example.com/theirs");
        hold(deployed);
        awaitEnd(deployed);
    }
}
