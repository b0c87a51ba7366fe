package dev.stowage.sidecar.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PreflightTest {

    private static final String ROOT = "27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw\n";

    @TempDir
    private Path proc;

    private void write(String file, String text) throws IOException {
        Path path = proc.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private void process(int pid, String name, String state) throws IOException {
        write(pid + "/comm", name + "\n");
        write(pid + "/stat", "%d (%s) %s 1 1 1 0 -1\n".formatted(pid, name, state));
    }

    private Finding finding(String name) {
        return finding(new Preflight(proc, Path.of("/var/lib/kubelet")).findings(), name);
    }

    private static Finding finding(List<Finding> among, String name) {
        return among.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aDaemonIsThereWhenAProcessOfItsNameIsAlive() throws IOException {
        process(1, "systemd", "S");
        process(77, "iscsid", "S");
        process(78, "multipathd", "Z");
        write("self/comm", "multipathd\n");

        assertThat(finding("Iscsid")).isEqualTo(new Finding("Iscsid", true, "iscsid runs"));
        assertThat(finding("Multipath").ok()).isFalse();
        assertThat(finding("Multipath").message()).contains("multipathd");
    }

    @Test
    void aProcessThatEndsWhileItIsLookedAtIsNoTrouble() throws IOException {
        Files.createDirectory(proc.resolve("5"));
        process(6, "a) name (with parentheses", "S");
        process(7, "iscsid", "S");

        assertThat(finding("Iscsid").ok()).isTrue();
    }

    @Test
    void modulesAreThereWhenLoadedOrBuiltIn() throws IOException {
        write("modules", "dm_multipath 40960 0 - Live 0x0000000000000000\n");
        write("filesystems", "nodev\tsysfs\n\text4\nnodev\tnfs4\n");
        write("kallsyms", "0000 T start_kernel\n0000 t iscsi_sw_tcp_conn_create\n");

        assertThat(finding("KernelModules").ok()).isTrue();
    }

    @Test
    void modulesThatAreNowhereAreNamed() throws IOException {
        write("modules", "dm_multipath_extra 1 0 - Live 0x0\nnfs 1 0 - Live 0x0\n");
        write("filesystems", "\text4\n");
        write("kallsyms", "0000 T start_kernel\n0000 t multipath_ctr\t[dm_other]\n");

        var finding = finding("KernelModules");
        assertThat(finding.ok()).isFalse();
        assertThat(finding.message()).contains("dm_multipath, iscsi_tcp").doesNotContain("nfs");
    }

    @Test
    void aKernelThatDoesNotListItsFunctionsLeavesItOpenWhetherAModuleIsBuiltIn() throws IOException {
        write("modules", "dm_multipath 1 0 - Live 0x0\n");
        write("filesystems", "nodev\tnfs\n");

        var finding = finding("KernelModules");
        assertThat(finding.ok()).isNull();
        assertThat(finding.message()).contains("iscsi_tcp").doesNotContain("dm_multipath");
    }

    @Test
    void theKubeletsDirectoryHasToBeOnASharedMount() throws IOException {
        write("1/mountinfo", ROOT);
        assertThat(finding("KubeletDirectory"))
                .isEqualTo(new Finding("KubeletDirectory", true, "/var/lib/kubelet is on the shared mount /"));

        write("1/mountinfo", ROOT + "30 27 0:9 / /var/lib/kube rw - tmpfs none rw\n");
        assertThat(finding("KubeletDirectory").ok()).isTrue();

        write("1/mountinfo", ROOT + "30 27 0:9 / /var/lib rw master:1 - tmpfs none rw\n");
        assertThat(finding("KubeletDirectory").ok()).isFalse();
        assertThat(finding("KubeletDirectory").message()).contains("mount --make-rshared /var/lib on the node");

        write(
                "1/mountinfo",
                ROOT
                        + "30 27 0:9 / /var/lib rw - tmpfs none rw\n31 30 0:9 / /var/lib rw master:1 shared:7 - tmpfs none rw\n");
        assertThat(finding("KubeletDirectory").ok()).isTrue();
    }

    @Test
    void aPlaceThatIsNoProcLeavesEverythingOpen() {
        var findings = new Preflight(proc.resolve("absent"), Path.of("/var/lib/kubelet")).findings();

        assertThat(findings)
                .hasSize(4)
                .allSatisfy(finding -> assertThat(finding.ok()).isNull());
    }

    @Test
    void whatIsFoundIsWrittenAsJson() {
        assertThat(Finding.json(List.of(new Finding("One", true, "it's \"here\""), Finding.unknown("Two", "no"))))
                .isEqualTo("""
                        [{"name": "One", "ok": true, "message": "it's \\"here\\""},
                        {"name": "Two", "ok": null, "message": "no"}]
                        """);
    }

    @Test
    void ofThisMachineOnlyWhatItsKernelHidesIsLeftOpen() {
        var findings = new Preflight(Path.of("/proc"), Path.of("/var/lib/kubelet")).findings();

        assertThat(findings)
                .extracting(Finding::name)
                .containsExactly("Iscsid", "Multipath", "KernelModules", "KubeletDirectory");
        assertThat(finding(findings, "Iscsid").ok()).isNotNull();
        assertThat(finding(findings, "Multipath").ok()).isNotNull();
        assertThat(finding(findings, "KubeletDirectory").ok()).isNotNull();
        assertThat(new HostProc(Path.of("/proc")))
                .satisfies(own -> assertThat(own.runs(ownName())).isTrue());
    }

    private static String ownName() throws IOException {
        return Files.readString(Path.of("/proc/self/comm")).strip();
    }
}
