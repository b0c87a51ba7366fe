package dev.stowage.manager.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import org.junit.jupiter.api.Test;

class CulpritsTest {

    private static final String OURS = entry("us", "10:00:00", "f:spec: {f:template: {}}");

    private static String entry(String manager, String time, String fields) {
        return "{manager: %s, operation: Update, time: '2026-01-01T%sZ', fieldsV1: {%s}}"
                .formatted(manager, time, fields);
    }

    /** @param entries of managedFields, beside our own */
    private static List<String> of(String path, String... entries) {
        var object = new KubernetesSerialization()
                .unmarshal("""
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: one, managedFields: [%s, %s]}
                """.formatted(OURS, String.join(", ", entries)), Deployment.class);
        return new Culprits("us").of(object, List.of(new Difference(path, "this", "that")));
    }

    @Test
    void whoScalesIsNamedAlthoughHeDoesItByAWayOfItsOwn() {
        String scaled = "{manager: kubectl, subresource: scale, fieldsV1: {f:spec: {f:replicas: {}}}}";
        String told =
                "{manager: controller, subresource: status, time: '2026-01-01T12:00:00Z', fieldsV1: {f:status: {f:replicas: {}}}}";

        assertThat(of("spec.replicas", scaled, told)).containsExactly("kubectl");
    }

    @Test
    void whoWroteBeforeUsHasNotChangedWhatWeWrote() {
        String helm = entry("helm", "09:00:00", "f:spec: {f:replicas: {}}");

        assertThat(of("spec.replicas", helm)).isEmpty();
        assertThat(of("spec.replicas", helm, entry("kubectl", "10:00:00", "f:spec: {f:paused: {}}")))
                .containsExactly("kubectl at 2026-01-01T10:00:00Z");
    }

    @Test
    void whoseFieldDiffersIsNamedAndNotWhoeverCameLater() {
        String editor = entry(
                "editor",
                "11:00:00",
                "f:spec: {f:template: {f:spec: {f:containers: {'k:{\"name\":\"driver\"}': {f:image: {}, f:args: {}}}}}}");
        String labeller = entry(
                "labeller",
                "12:00:00",
                "f:metadata: {f:annotations: {f:storageclass.kubernetes.io/is-default-class: {}}}");

        assertThat(of("spec.template.spec.containers[driver].image", editor, labeller))
                .containsExactly("editor at 2026-01-01T11:00:00Z");
        assertThat(of("spec.template.spec.containers[driver].args[2]", editor, labeller))
                .containsExactly("editor at 2026-01-01T11:00:00Z");
        assertThat(of("metadata.annotations.storageclass.kubernetes.io/is-default-class", editor, labeller))
                .containsExactly("labeller at 2026-01-01T12:00:00Z");
    }

    @Test
    void whereNobodysFieldDiffersAllWhoWroteAreNamedTheLastOneFirst() {
        String one = entry(
                "one",
                "11:00:00",
                "f:spec: {f:template: {f:spec: {f:containers: {'k:{\"name\":\"a\"}': {f:image: {}}}}}}");
        String other = entry("other", "12:00:00", "f:spec: {f:paused: {}}");

        assertThat(of("spec.template.spec.containers[driver].image", one, other))
                .containsExactly("other at 2026-01-01T12:00:00Z", "one at 2026-01-01T11:00:00Z");
    }
}
