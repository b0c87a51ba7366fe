package dev.stowage.kube;

import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells people what has become of a resource. One that cannot be told is in the log, and nothing waits for it. */
public final class Events {

    private static final Logger LOG = LoggerFactory.getLogger(Events.class);
    private static final int LONGEST_MESSAGE = 1000;
    private static final String MORE = " … (there is more of it in the log)";
    /** Where events of what has no namespace are kept. */
    private static final String ELSEWHERE = "default";

    private final KubernetesClient client;
    private final String component;

    public Events(KubernetesClient client, String component) {
        this.client = client;
        this.component = component;
    }

    public void normal(HasMetadata object, String reason, String message) {
        tell("Normal", object, reason, message);
    }

    public void warning(HasMetadata object, String reason, String message) {
        tell("Warning", object, reason, message);
    }

    /**
     * The same about several. Many do not have room in one event, so there are as many events as it takes to name all.
     *
     * @param message up to the names
     */
    public void warning(HasMetadata object, String reason, String message, List<String> names) {
        messages(message, names).forEach(each -> warning(object, reason, each));
    }

    /** Each of them makes sense alone: nobody sees to it that events are read in their order. */
    static List<String> messages(String message, List<String> names) {
        String start = bounded(message, LONGEST_MESSAGE / 2);
        int room = LONGEST_MESSAGE - start.length() - " (1000 of 1000): ".length();
        var parts = new ArrayList<String>();
        var part = new StringJoiner(", ");
        for (String name : names) {
            if (part.length() > 0 && part.length() + name.length() + 2 > room) {
                parts.add(part.toString());
                part = new StringJoiner(", ");
            }
            part.add(name);
        }
        parts.add(part.toString());
        return IntStream.range(0, parts.size())
                .mapToObj(index -> parts.size() == 1
                        ? start + ": " + parts.get(index)
                        : "%s (%d of %d): %s".formatted(start, index + 1, parts.size(), parts.get(index)))
                .toList();
    }

    private void tell(String type, HasMetadata object, String reason, String message) {
        String name = object.getMetadata().getName();
        String namespace = Objects.requireNonNullElse(object.getMetadata().getNamespace(), ELSEWHERE);
        LOG.info("{} {}: {}: {}", object.getKind(), name, reason, message);
        String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        var event = new EventBuilder()
                .withNewMetadata()
                .withGenerateName(bounded(name, 200) + ".")
                .withNamespace(namespace)
                .endMetadata()
                .withInvolvedObject(new ObjectReferenceBuilder()
                        .withApiVersion(object.getApiVersion())
                        .withKind(object.getKind())
                        .withNamespace(object.getMetadata().getNamespace())
                        .withName(name)
                        .withUid(object.getMetadata().getUid())
                        .build())
                .withType(type)
                .withReason(reason)
                .withMessage(shortened(message))
                .withNewSource()
                .withComponent(component)
                .endSource()
                .withReportingComponent(component)
                .withReportingInstance(component)
                .withFirstTimestamp(now)
                .withLastTimestamp(now)
                .withCount(1)
                .build();
        try {
            client.v1().events().inNamespace(namespace).resource(event).create();
        } catch (KubernetesClientException untold) {
            LOG.warn("{} {}: the event {} could not be told: {}", object.getKind(), name, reason, untold.getMessage());
        }
    }

    /** The rest is in the log. */
    private static String shortened(String message) {
        return message.length() <= LONGEST_MESSAGE
                ? message
                : message.substring(0, LONGEST_MESSAGE - MORE.length()) + MORE;
    }

    private static String bounded(String text, int length) {
        return text.length() <= length ? text : text.substring(0, length);
    }
}
