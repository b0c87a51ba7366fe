package dev.stowage.manager.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PortsTest {

    private static Ports beside(String container) {
        return of("{containers: [{name: csi-driver, image: driver}, {name: own, %s}]}".formatted(container));
    }

    private static Ports of(String pod) {
        var template = new KubernetesSerialization().unmarshal("spec: %s".formatted(pod), PodTemplateSpec.class);
        return new Ports(template, "csi-hostpath", Habits.USUAL);
    }

    @Test
    void aTemplateThatUsesNoneOfThemHasTheUsualOnes() {
        var ports = beside("image: other, args: ['--port=19808', '--version=1.9808', '--size=98080']");

        assertThat(ports.controllerHealth()).isEqualTo(9808);
        assertThat(ports.nodeHealth()).isEqualTo(9808);
        assertThat(ports.registrar()).isEqualTo(9809);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "image: 'registry.k8s.io/sig-storage/livenessprobe:v2.14.0', args: ['--csi-address=/csi/csi.sock']",
                "image: mine, command: [/usr/bin/livenessprobe]",
                "image: mine, args: ['--health-port=9808']",
                "image: mine, args: ['--health-port', '9808']",
                "image: mine, args: ['--http-endpoint=:9808']",
                "image: mine, command: [sh, -c, 'serve --at 0.0.0.0:9808 --log']",
                "image: mine, env: [{name: PORT, value: '9808'}]",
                "image: mine, ports: [{containerPort: 9808}]",
                "image: mine, livenessProbe: {httpGet: {port: 9808}}",
                "image: mine, readinessProbe: {tcpSocket: {port: 9808}}",
                "image: mine, startupProbe: {grpc: {port: 9808}}",
            })
    void onesThatTheTemplateUsesAreLeftToIt(String container) {
        var ports = beside(container);

        assertThat(ports.controllerHealth()).isEqualTo(9809);
        assertThat(ports.nodeHealth()).isEqualTo(9810);
        assertThat(ports.registrar()).isEqualTo(9809);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "livenessProbe: {httpGet: {port: 9808}}",
                "ports: [{name: healthz, containerPort: 9808}], livenessProbe: {httpGet: {port: healthz}}",
            })
    void whereTheDriverIsAskedForItsHealthTheSidecarAnswers(String driver) {
        assertThat(of("{containers: [{name: csi-driver, image: driver, %s}]}".formatted(driver))
                        .controllerHealth())
                .isEqualTo(9808);
    }

    @Test
    void alsoTheRegistrarsAndThoseOfContainersThatStartBefore() {
        var ports = of("{containers: [{name: csi-driver, image: driver, args: ['--metrics=:9809']}],"
                + " initContainers: [{name: own, image: livenessprobe, restartPolicy: Always}]}");

        assertThat(ports.registrar()).isEqualTo(9810);
        assertThat(ports.nodeHealth()).isEqualTo(9811);
    }

    @Test
    void aStockLivenessProbeThatSaysWhereItAnswersIsNotAtItsUsualPort() {
        assertThat(beside("image: livenessprobe, args: ['--health-port=9898']").controllerHealth())
                .isEqualTo(9808);
    }

    @Test
    void inTheNetworkOfTheNodeTheNextPlaceIsTaken() {
        int place = of("{hostNetwork: true, containers: [{name: csi-driver}]}").registrar();

        assertThat(of("{hostNetwork: true, containers: [{name: csi-driver, args: ['--port=%d']}]}".formatted(place))
                        .registrar())
                .isBetween(26_000, 28_999)
                .isNotEqualTo(place);
    }
}
