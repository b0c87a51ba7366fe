package dev.stowage.kube.vsc;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import org.junit.jupiter.api.Test;

/** What is read from the API server, and what is shown of it. */
class ReadingTest {

    private final KubernetesSerialization json = new KubernetesSerialization();

    @Test
    void aStateOrModeThatIsNotKnownHereReadsAsNone() {
        var vpsa = json.unmarshal("""
                {"status": {"state": "Tired", "capacity": {"total": "1", "available": "1", "mode": ""}}}
                """, Vpsa.class);

        assertThat(vpsa.getStatus().state()).isNull();
        assertThat(vpsa.getStatus().capacity()).isEqualTo(new Capacity(new Quantity("1"), new Quantity("1"), null));
    }

    @Test
    void whatIsMissingReadsAsEmpty() {
        assertThat(json.unmarshal("{\"spec\": {\"displayName\": \"x\"}}", Vpsa.class)
                        .getStatus())
                .isEqualTo(Vpsa.Status.NONE);
        assertThat(json.unmarshal("{\"status\": {\"state\": \"Cloning\", \"CGID\": \"cg-1\"}}", VscVolume.class)
                        .getStatus())
                .isEqualTo(new VscVolume.Status(VscVolume.State.CLONING, "", "", "cg-1", "", null, null, null));
    }

    @Test
    void noSecretIsInTheTextOfAnObject() {
        var vpsa = json.unmarshal("""
                {"spec": {"displayName": "x", "token": "canary-1"},
                 "status": {"CHAPSecret": "canary-2", "ExternalManageToken": "canary-3"}}
                """, Vpsa.class);

        assertThat(vpsa.toString()).contains("displayName=x").doesNotContain("canary");
    }

    @Test
    void theWorseOfTwoModesIsTheMoreUrgent() {
        assertThat(CapacityMode.ALERT.worse(CapacityMode.EMERGENCY)).isEqualTo(CapacityMode.EMERGENCY);
        assertThat(CapacityMode.PROTECTED.worse(CapacityMode.NORMAL)).isEqualTo(CapacityMode.PROTECTED);
    }
}
