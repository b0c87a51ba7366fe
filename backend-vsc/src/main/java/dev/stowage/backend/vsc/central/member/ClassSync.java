package dev.stowage.backend.vsc.central.member;

import dev.stowage.backend.vsc.central.resource.Kind;
import dev.stowage.backend.vsc.central.resource.Resources;
import dev.stowage.core.error.StowageException;
import dev.stowage.kube.Events;
import dev.stowage.kube.vsc.Capacity;
import dev.stowage.kube.vsc.CapacityMode;
import dev.stowage.kube.vsc.Vpsa;
import dev.stowage.kube.vsc.VscStorageClass;
import dev.stowage.kube.vsc.VscStorageClass.State;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/** Keeps the resources of classes true: each is the sum of its members. */
public final class ClassSync {

    private static final Set<Vpsa.State> BROKEN =
            EnumSet.of(Vpsa.State.INCOMPATIBLE, Vpsa.State.UNREACHABLE, Vpsa.State.FAILED);

    private final Resources resources;
    private final Events events;

    public ClassSync(Resources resources, Events events) {
        this.resources = resources;
        this.events = events;
    }

    /** @return whether there is nothing more to do before the next change */
    public boolean sync(String name) {
        var found = resources.classes().find(name);
        if (found.isEmpty()) {
            return true;
        }
        var members = resources.arrays().by(Resources.BY_CLASS, name);
        if (Kind.ending(found.get())) {
            return leave(found.get(), members);
        }
        show(resources.classes().protect(found.get()), sum(found.get(), members));
        return true;
    }

    private VscStorageClass.Status sum(VscStorageClass storageClass, List<Vpsa> members) {
        var mode = members.stream()
                .map(member -> member.getStatus().capacity())
                .filter(Objects::nonNull)
                .map(Capacity::mode)
                .filter(Objects::nonNull)
                .reduce(CapacityMode.NORMAL, CapacityMode::worse);
        var trouble = members.stream()
                .filter(member -> member.getStatus().state() != Vpsa.State.READY)
                .map(member -> "%s is %s"
                        .formatted(
                                member.getMetadata().getName(),
                                Optional.ofNullable(member.getStatus().state())
                                        .map(Kind::word)
                                        .orElse("new")))
                .sorted()
                .toList();
        boolean failed = !members.isEmpty() && members.stream().allMatch(member -> isBroken(member));
        String rival = storageClass.getSpec().isDefault()
                ? defaultClass(resources)
                        .filter(other -> !other.getMetadata()
                                .getName()
                                .equals(storageClass.getMetadata().getName()))
                        .map(other -> "VSCStorageClass %s is the default, and only one can be"
                                .formatted(other.getMetadata().getName()))
                        .orElse("")
                : "";
        String message = rival.isEmpty() ? String.join("; ", trouble) : rival;
        return new VscStorageClass.Status(
                failed ? State.FAILED : State.READY,
                new Capacity(total(members, Capacity::total), total(members, Capacity::available), mode),
                new VscStorageClass.Counters(
                        members.size(),
                        count(members, Vpsa.Counters::pools),
                        count(members, Vpsa.Counters::volumes),
                        count(members, Vpsa.Counters::snapshots)),
                message.isEmpty() ? null : message);
    }

    private static boolean isBroken(Vpsa member) {
        var state = member.getStatus().state();
        return state != null && BROKEN.contains(state);
    }

    private static Quantity total(List<Vpsa> members, Function<Capacity, Quantity> part) {
        var sum = members.stream()
                .map(member -> member.getStatus().capacity())
                .filter(Objects::nonNull)
                .map(part)
                .map(Quantity::getAmountInBytes)
                .reduce(BigDecimal.ZERO, BigDecimal::add);
        return new Quantity(sum.toBigInteger().toString());
    }

    private static int count(List<Vpsa> members, ToIntFunction<Vpsa.Counters> part) {
        return members.stream()
                .map(member -> member.getStatus().counters())
                .filter(Objects::nonNull)
                .mapToInt(part)
                .sum();
    }

    /** The class for volumes that name none: of several that claim to be it, the oldest. */
    public static Optional<VscStorageClass> defaultClass(Resources resources) {
        return resources.classes().all().stream()
                .filter(each -> each.getSpec().isDefault() && !Kind.ending(each))
                .min(Comparator.comparing(
                                (VscStorageClass each) -> each.getMetadata().getCreationTimestamp())
                        .thenComparing(each -> each.getMetadata().getName()));
    }

    /** The class that a volume is to be made from. */
    public static VscStorageClass require(Resources resources, Optional<String> name) {
        if (name.isEmpty()) {
            return defaultClass(resources)
                    .orElseThrow(() -> StowageException.notPossible(
                            "no VSCStorageClass is named and none is the default; set isDefault on one, or name one by the"
                                    + " parameter VSCStorageClassName"));
        }
        return resources
                .classes()
                .told(name.get())
                .filter(found -> !Kind.ending(found))
                .orElseThrow(() -> StowageException.notPossible(
                        "VSCStorageClass %s does not exist; create it, or name another by the parameter"
                                + " VSCStorageClassName",
                        name.get()));
    }

    private boolean leave(VscStorageClass storageClass, List<Vpsa> members) {
        String obstacle = storageClass.getSpec().isDefault()
                ? "it is the default; clear isDefault first"
                : members.isEmpty()
                        ? ""
                        : "it has members; delete them first: "
                                + members.stream()
                                        .map(member -> member.getMetadata().getName())
                                        .sorted()
                                        .collect(Collectors.joining(", "));
        if (obstacle.isEmpty()) {
            resources.classes().release(storageClass);
        } else {
            show(storageClass, storageClass.getStatus().in(State.DELETING, obstacle));
        }
        return true;
    }

    private void show(VscStorageClass storageClass, VscStorageClass.Status now) {
        var before = storageClass.getStatus();
        if (before.equals(now)) {
            return;
        }
        var shown = resources.classes().status(storageClass, now);
        if (before.state() != now.state()) {
            String message = Optional.ofNullable(now.message()).orElse("all its arrays are well");
            String reason = Kind.word(Objects.requireNonNull(now.state()));
            if (now.state() == State.FAILED) {
                events.warning(shown, reason, message);
            } else {
                events.normal(shown, reason, message);
            }
        }
    }
}
