package dev.stowage.conformance.sanity;

import dev.stowage.conformance.harness.Claim;
import dev.stowage.conformance.harness.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.xml.sax.SAXException;

/** One run of csi-sanity, and what became of each of its specs. */
record SanityRun(Map<String, Outcome> specs, String output) {

    enum Outcome {
        PASSED,
        FAILED,
        NOT_RUN
    }

    private static final int PATIENCE_MINUTES = 5;

    static SanityRun of(Workspace workspace, String name, List<String> arguments) throws IOException {
        Path directory = workspace.directory(name);
        Path report = directory.resolve("report.xml");
        Path output = directory.resolve("output");
        var command = new ArrayList<>(List.of(
                program(),
                "--csi.mountdir",
                directory.resolve("target").toString(),
                "--csi.stagingdir",
                directory.resolve("staging").toString(),
                "--csi.testvolumesize",
                Long.toString(Claim.GIB),
                "--csi.testvolumeexpandsize",
                Long.toString(2 * Claim.GIB),
                "--csi.testvolumeparameters",
                file(directory, "parameters.yaml", "provisioning: thin"),
                "--csi.testvolumemutableparameters",
                file(directory, "mutable.yaml", "readAheadKiB: \"256\""),
                "--csi.testsnapshotparameters",
                file(directory, "snapshot.yaml", "sanity.example/any: \"1\""),
                "--csi.testinvalidlistvolumesstartingtoken",
                "never-given-out",
                "--csi.secrets",
                file(directory, "secrets.yaml", SECRETS),
                "--csi.testnodevolumeattachlimit",
                "--ginkgo.no-color",
                "--ginkgo.junit-report",
                report.toString()));
        command.addAll(arguments);
        var process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            if (!process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
                throw new AssertionError("csi-sanity did not end:\n" + Files.readString(output));
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        } finally {
            process.destroyForcibly();
        }
        if (!Files.exists(report)) {
            throw new AssertionError("csi-sanity made no report:\n" + Files.readString(output));
        }
        return new SanityRun(outcomes(report), Files.readString(output));
    }

    private static String program() {
        String program = System.getenv("STOWAGE_CSI_SANITY");
        if (program == null || !Files.isExecutable(Path.of(program))) {
            throw new IllegalStateException("STOWAGE_CSI_SANITY must name the csi-sanity v5.6.0 program, and is "
                    + program + "; ./stowage test sets it");
        }
        return program;
    }

    private static String file(Path directory, String name, String content) throws IOException {
        return Files.writeString(directory.resolve(name), content + "\n").toString();
    }

    private static Map<String, Outcome> outcomes(Path report) throws IOException {
        try {
            var document = DocumentBuilderFactory.newDefaultInstance()
                    .newDocumentBuilder()
                    .parse(report.toFile());
            var cases = document.getElementsByTagName("testcase");
            var outcomes = new TreeMap<String, Outcome>();
            for (int i = 0; i < cases.getLength(); i++) {
                var one = (Element) cases.item(i);
                String name = one.getAttribute("name");
                // The suite's own preparations are listed as well.
                if (name.startsWith("[It] ")) {
                    outcomes.put(name.substring("[It] ".length()), outcome(one.getAttribute("status")));
                }
            }
            return outcomes;
        } catch (ParserConfigurationException | SAXException unreadable) {
            throw new IOException("the report of csi-sanity cannot be read", unreadable);
        }
    }

    private static Outcome outcome(String status) {
        return switch (status) {
            case "passed" -> Outcome.PASSED;
            case "skipped", "pending" -> Outcome.NOT_RUN;
            default -> Outcome.FAILED;
        };
    }

    List<String> with(Outcome outcome) {
        return specs.entrySet().stream()
                .filter(spec -> spec.getValue() == outcome)
                .map(Map.Entry::getKey)
                .toList();
    }

    private static final String SECRETS = """
            CreateVolumeSecret: {key: sanity}
            DeleteVolumeSecret: {key: sanity}
            ControllerPublishVolumeSecret: {key: sanity}
            ControllerUnpublishVolumeSecret: {key: sanity}
            ControllerValidateVolumeCapabilitiesSecret: {key: sanity}
            NodeStageVolumeSecret: {key: sanity}
            NodePublishVolumeSecret: {key: sanity}
            CreateSnapshotSecret: {key: sanity}
            DeleteSnapshotSecret: {key: sanity}
            ControllerExpandVolumeSecret: {key: sanity}
            ControllerModifyVolumeSecret: {key: sanity}
            ListSnapshotsSecret: {key: sanity}
            GetSnapshotSecret: {key: sanity}""";
}
