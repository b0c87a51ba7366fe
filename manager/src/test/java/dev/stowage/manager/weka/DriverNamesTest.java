package dev.stowage.manager.weka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** All forms of a driver's name. */
class DriverNamesTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | csi.weka.io",
                "{csiGroup: groupName} | csi.group-name.weka.io",
                "{csiConfig: {csiGroup: groupName}} | csi.group-name.weka.io",
                "{csiConfig: {csiGroup: second}, csiGroup: first} | csi.second.weka.io",
                "{csiGroup: csi} | csi.weka.io",
                "{csiGroup: 'Tier_1 (fast)'} | csi.tier-1-fast.weka.io",
                "{csiGroup: team2Blue} | csi.team2-blue.weka.io",
                "{csiConfig: {csiDriverName: my.own-1.name}} | my.own-1.name",
                "{csiConfig: {csiDriverName: csi.weka.io, csiGroup: other}} | csi.weka.io"
            })
    void withoutACluster(String spec, String name) {
        assertThat(DriverNames.of(Some.client(spec), Optional.empty()).name()).isEqualTo(name);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | {} | csi.prod-weka.weka.io",
                "{csiGroup: mine} | {} | csi.prod-weka.weka.io",
                "{} | {csiConfig: {csiGroup: blueOne}} | csi.blue-one.weka.io",
                "{} | {csiConfig: {csiDriverName: csi.weka.io}} | csi.weka.io",
                "{csiConfig: {csiDriverName: own.weka.io}} | {csiConfig: {csiDriverName: csi.weka.io}} | own.weka.io"
            })
    void withACluster(String spec, String cluster, String name) {
        assertThat(DriverNames.of(Some.client(spec), Optional.of(Some.cluster("prod", "weka", cluster)))
                        .name())
                .isEqualTo(name);
    }

    @Test
    void twoThatAreTooLongAreToldApartAndFit() {
        String one = name("a".repeat(80) + "1");
        String other = name("a".repeat(80) + "2");

        assertThat(one).hasSizeLessThanOrEqualTo(63).startsWith("csi.aaa").endsWith(".weka.io");
        assertThat(other).hasSizeLessThanOrEqualTo(63).isNotEqualTo(one);
    }

    private static String name(String group) {
        return DriverNames.of(Some.client("{csiGroup: " + group + "}"), Optional.empty())
                .name();
    }

    @ParameterizedTest
    @ValueSource(strings = {"My.Own.Name", "not a name", "-a.b", "a.b-", "a..b", "a_b"})
    void aWholeNameThatIsNoneIsRefused(String name) {
        assertThatItIsRefused(name);
    }

    @Test
    void aWholeNameThatIsTooLongIsRefused() {
        assertThatItIsRefused("a".repeat(64));
    }

    private static void assertThatItIsRefused(String name) {
        var choice = DriverNames.of(Some.client("{csiConfig: {csiDriverName: '" + name + "'}}"), Optional.empty());

        assertThat(choice.name()).isEmpty();
        assertThat(choice.problem()).contains("'" + name + "'");
    }

    @Test
    void aGroupOfWhichNothingIsLeftIsRefused() {
        var choice = DriverNames.of(Some.client("{csiConfig: {csiGroup: '...'}}"), Optional.empty());

        assertThat(choice.name()).isEmpty();
        assertThat(choice.problem()).contains("spec.csiConfig.csiGroup").contains("'...'");
    }
}
