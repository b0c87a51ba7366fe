package dev.stowage.backend.local.cluster.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.error.StowageException;
import dev.stowage.kube.local.LocalPool;
import dev.stowage.kube.local.LocalResources;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OwnershipTest {

    private static final Ownership DEFAULT = new Ownership("local.stowage.dev");
    private static final Ownership WEKA = new Ownership("csi.weka.io");

    private static LocalPool pool(Map<String, String> labels, Map<String, String> topology) {
        var pool = new LocalPool();
        pool.setMetadata(
                new ObjectMetaBuilder().withName("node-a").withLabels(labels).build());
        pool.setSpec(new LocalPool.Spec("node-a"));
        pool.setStatus(new LocalPool.Status(topology, 0, 0, 0, 0, 0, 0, List.of(), null, null));
        return pool;
    }

    private static LocalPool labelled(String driver) {
        return pool(Map.of(LocalResources.DRIVER_LABEL, driver), Map.of("csi.weka.io/node", "node-a"));
    }

    @Test
    void theLabelSaysWhoseAResourceIsWhateverElseItSays() {
        assertThat(DEFAULT.isMine(labelled("local.stowage.dev"))).isTrue();
        assertThat(WEKA.isMine(labelled("local.stowage.dev"))).isFalse();
        assertThat(DEFAULT.isMyPool(labelled("local.stowage.dev"))).isTrue();
        assertThat(WEKA.isMyPool(labelled("local.stowage.dev"))).isFalse();
    }

    @Test
    void aPoolWithoutALabelIsOfTheDriverThatItsTopologyNames() {
        var pool = pool(Map.of(), Map.of("csi.weka.io/node", "node-a"));
        assertThat(WEKA.isMyPool(pool)).isTrue();
        assertThat(DEFAULT.isMyPool(pool)).isFalse();
        assertThat(new Ownership("csi.other.weka.io").isMyPool(pool)).isFalse();
        assertThat(WEKA.isMine(pool)).isFalse();
    }

    @Test
    void aPoolThatToldNothingYetIsNobodys() {
        var pool = pool(Map.of(), Map.of());
        assertThat(WEKA.isMyPool(pool)).isFalse();
        assertThat(DEFAULT.isMyPool(pool)).isFalse();
    }

    @Test
    void anOrderWithoutALabelIsOfTheDriverWhosePoolTheNodeHad() {
        var former = Optional.of(labelled("csi.weka.io"));
        assertThat(WEKA.isMyOrder(former)).isTrue();
        assertThat(DEFAULT.isMyOrder(former)).isFalse();
    }

    @Test
    void whatNothingIsKnownAboutIsOfTheDriverOfTheDefaultNameAndOfNoOther() {
        assertThat(DEFAULT.isMyOrder(Optional.empty())).isTrue();
        assertThat(WEKA.isMyOrder(Optional.empty())).isFalse();
    }

    @Test
    void aResourceOfThatNameThatIsNotOursIsRefusedWithItsOwner() {
        var ours = labelled("local.stowage.dev");
        assertThat(DEFAULT.requireMine("volume 'x'", ours)).isSameAs(ours);
        assertThatThrownBy(() -> DEFAULT.requireMine("volume 'x'", labelled("csi.weka.io")))
                .isInstanceOf(StowageException.NotPossible.class)
                .hasMessageContaining("volume 'x'")
                .hasMessageContaining("csi.weka.io");
        // It may get its label any moment, so that the caller comes back.
        assertThatThrownBy(() -> DEFAULT.requireMine("volume 'x'", pool(Map.of(), Map.of())))
                .isInstanceOf(StowageException.Busy.class)
                .hasMessageContaining(LocalResources.DRIVER_LABEL);
    }

    @Test
    void otherLabelsStayWhenTheDriversNameIsAdded() {
        var metadata = new ObjectMetaBuilder()
                .withName("vol")
                .withResourceVersion("7")
                .withLabels(Map.of("team", "a"))
                .build();
        var named = WEKA.named(metadata);
        assertThat(named.getLabels()).isEqualTo(Map.of("team", "a", LocalResources.DRIVER_LABEL, "csi.weka.io"));
        assertThat(named.getResourceVersion()).isEqualTo("7");
    }
}
