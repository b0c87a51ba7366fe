package dev.stowage.workbench.e2e;

import dev.stowage.workbench.WorkbenchException;
import dev.stowage.workbench.e2e.Spec.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** What the suite writes about a run, as JUnit would. */
final class SuiteReport {
    private static final String PREFIX = "External Storage [Driver: ";
    private static final String FILTERED_OUT = "skipped";

    private SuiteReport() {}

    /** The specs about external storage that were chosen to run, however they ended. */
    static List<Spec> read(Path file) {
        var factory = XMLInputFactory.newFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        try (var in = Files.newInputStream(file)) {
            var specs = new ArrayList<Spec>();
            var xml = factory.createXMLStreamReader(in);
            while (xml.hasNext()) {
                if (xml.next() == XMLStreamConstants.START_ELEMENT && "testcase".equals(xml.getLocalName())) {
                    readSpec(xml).ifPresent(specs::add);
                }
            }
            return specs;
        } catch (IOException | XMLStreamException failure) {
            throw new WorkbenchException(
                    "cannot read what the suite reports in %s: %s".formatted(file, failure.getMessage()), failure);
        }
    }

    private static Optional<Spec> readSpec(XMLStreamReader xml) throws XMLStreamException {
        var fullName = attribute(xml, "name");
        var status = attribute(xml, "status");
        var took = attribute(xml, "time");
        var message = "";
        while (!(xml.next() == XMLStreamConstants.END_ELEMENT && "testcase".equals(xml.getLocalName()))) {
            if (xml.isStartElement() && List.of("skipped", "failure", "error").contains(xml.getLocalName())) {
                message = attribute(xml, "message");
            }
        }
        int begin = fullName.indexOf(PREFIX);
        boolean wasChosen = !(FILTERED_OUT.equals(status) && (message.isEmpty() || message.equals(FILTERED_OUT)));
        if (begin < 0 || !wasChosen) {
            return Optional.empty();
        }
        return Optional.of(new Spec(
                fullName.substring(fullName.indexOf(']', begin + PREFIX.length()) + 1)
                        .strip(),
                outcome(status),
                message.replaceFirst("^skipped - ", "").strip(),
                Duration.ofMillis(Math.round(Double.parseDouble(took) * 1000))));
    }

    private static Outcome outcome(String status) {
        return switch (status) {
            case "passed" -> Outcome.PASSED;
            case "skipped", "pending" -> Outcome.SKIPPED;
            default -> Outcome.FAILED;
        };
    }

    private static String attribute(XMLStreamReader xml, String name) {
        var value = xml.getAttributeValue(null, name);
        return value == null ? "" : value;
    }
}
