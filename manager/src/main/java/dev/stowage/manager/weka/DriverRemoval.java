package dev.stowage.manager.weka;

import dev.stowage.manager.apply.Adoption;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/**
 * What is in the way of the end of a driver.
 *
 * @param errors what could not be removed, and why
 * @param kept what is removed as far as it is up to us, and by which finalizers it is still there
 */
record DriverRemoval(List<String> errors, List<String> kept) {

    static DriverRemoval of(Collection<String> errors, Collection<HasMetadata> left) {
        return new DriverRemoval(
                errors.stream().distinct().toList(),
                left.stream()
                        .filter(object -> object.getMetadata().getDeletionTimestamp() != null)
                        .filter(object -> !finalizers(object).isEmpty())
                        .map(object -> "%s is still there until its finalizers are taken off: %s"
                                .formatted(Adoption.named(object), String.join(", ", finalizers(object))))
                        .sorted()
                        .toList());
    }

    private static List<String> finalizers(HasMetadata object) {
        return Objects.requireNonNullElse(object.getMetadata().getFinalizers(), List.of());
    }

    String reason() {
        return errors.isEmpty() ? "Progressing" : "Failed";
    }

    String message(String driver) {
        var message = new StringBuilder(driver + " is being removed");
        if (!errors.isEmpty()) {
            message.append(", but not all of it could be: ").append(String.join("; ", errors));
        }
        kept.forEach(each -> message.append("; ").append(each));
        return message.toString();
    }
}
