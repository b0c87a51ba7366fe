package dev.stowage.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.error.StowageException;
import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.api.model.APIResourceListBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ServedResourcesTest {

    private static final String VERSION = "groupsnapshot.storage.k8s.io/v1beta1";

    private final AtomicInteger asked = new AtomicInteger();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private @Nullable APIResourceList answer;

    private final ServedResources served = new ServedResources(
            version -> {
                asked.incrementAndGet();
                return answer;
            },
            () -> now);

    @Test
    void whatComesLaterIsFoundAndNobodyIsAskedInEveryPass() {
        assertThat(served.of(VERSION)).isEmpty();
        answer = new APIResourceListBuilder()
                .addNewResource()
                .withName("volumegroupsnapshots")
                .endResource()
                .build();
        assertThat(served.of(VERSION)).isEmpty();
        assertThat(asked).hasValue(1);

        now = now.plus(Duration.ofMinutes(2));
        assertThat(served.of(VERSION)).containsExactly("volumegroupsnapshots");
        assertThat(asked).hasValue(2);
    }

    @Test
    void anApiServerThatDoesNotAnswerHasNotSaidThatItServesNothing() {
        var silent = new ServedResources(
                version -> {
                    throw new KubernetesClientException("away", 503, null);
                },
                () -> now);

        assertThatThrownBy(() -> silent.of(VERSION))
                .isInstanceOf(StowageException.class)
                .hasMessageContaining(VERSION);
    }
}
