package dev.stowage.manager.weka;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MembershipTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{joinIpPorts: ['10.0.0.1:14000']} | 10.0.0.1",
                "{joinIpPorts: ['b:1', 'A:14000', 'a:14100']} | a, b",
                "{joinIpPorts: ['host']} | host",
                "{joinIpPorts: ['[fd00::1]:14000', 'fd00::2']} | fd00::1, fd00::2",
                "{targetCluster: {name: prod, namespace: weka}, joinIpPorts: ['a:1']} | weka/prod",
                "{targetCluster: {name: prod}} | storage/prod",
                "{targetCluster: {namespace: weka}, joinIpPorts: ['a:1']} | a",
                "{targetCluster: {name: ''}, joinIpPorts: ['a:1']} | a",
                "{targetCluster: {}} | ''",
            })
    void aClientIsOfTheClusterThatItNamesOrWhoseMachinesItKnows(String spec, String cluster) {
        assertThat(String.join(", ", Membership.of(Some.client(spec)))).isEqualTo(cluster);
    }
}
