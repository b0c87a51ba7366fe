package dev.stowage.backend.local.cluster.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.id.RequestName;
import dev.stowage.kube.Digest;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ResourceNamesTest {

    private static final RequestName REQUEST = new RequestName("pvc-1");

    private static ResourceNames of(String driver) {
        return new ResourceNames(new Ownership(driver));
    }

    @Test
    void theDriverOfTheDefaultNameNamesThingsAsBeforeThereWereSeveral() {
        var names = of("local.stowage.dev");
        assertThat(names.volume(REQUEST).present()).isEqualTo("vol-" + Digest.of("pvc-1"));
        assertThat(names.snapshot(REQUEST).present()).isEqualTo("snap-" + Digest.of("pvc-1"));
        assertThat(names.group(REQUEST).present()).isEqualTo("group-" + Digest.of("pvc-1"));
    }

    @Test
    void theSameRequestHasAnotherResourceInEveryDriver() {
        var names = Stream.of("local.stowage.dev", "csi.weka.io", "csi.other.weka.io")
                .map(ResourceNamesTest::of)
                .toList();
        assertThat(names.stream().map(driver -> driver.volume(REQUEST).present()))
                .doesNotHaveDuplicates();
        assertThat(names.stream().map(driver -> driver.snapshot(REQUEST).present()))
                .doesNotHaveDuplicates();
        assertThat(names.stream().map(driver -> driver.group(REQUEST).present()))
                .doesNotHaveDuplicates();
        assertThat(names.stream().map(driver -> driver.pool("node-a"))).doesNotHaveDuplicates();
        assertThat(names.stream().map(driver -> driver.lease("node-a"))).doesNotHaveDuplicates();
    }

    @Test
    void aDriverFindsAgainWhatItOrderedBeforeThereWereSeveral() {
        assertThat(of("csi.weka.io").volume(REQUEST).former()).isEqualTo("vol-" + Digest.of("pvc-1"));
    }

    @Test
    void noRequestOfOneDriverLooksLikeThatOfAnother() {
        // A space may be part of a request's name, so that it must not be what parts it from the driver's.
        var made = List.of(
                of("local.stowage.dev")
                        .volume(new RequestName("csi.weka.io pvc-1"))
                        .present(),
                of("csi.weka.io").volume(REQUEST).present());
        assertThat(made).doesNotHaveDuplicates();
    }
}
