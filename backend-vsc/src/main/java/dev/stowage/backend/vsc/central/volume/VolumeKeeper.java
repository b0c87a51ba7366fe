package dev.stowage.backend.vsc.central.volume;

import dev.stowage.arrayapi.ArrayException;
import dev.stowage.arrayapi.ArrayException.Refused;
import dev.stowage.arrayapi.ArrayException.Unreachable;
import dev.stowage.arrayapi.ArrayStatus;
import dev.stowage.arrayapi.ArrayVolume;
import dev.stowage.arrayapi.NewVolume;
import dev.stowage.backend.vsc.central.member.Asking;
import dev.stowage.backend.vsc.central.member.Member;
import dev.stowage.backend.vsc.central.member.Members;
import dev.stowage.backend.vsc.central.resource.Kind;
import dev.stowage.backend.vsc.central.resource.Resources;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.volume.Sizes;
import dev.stowage.kube.vsc.VolumeType;
import dev.stowage.kube.vsc.VscVolume;
import dev.stowage.kube.vsc.VscVolume.State;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Brings a volume from its resource to an array.
 *
 * <p>The resource names the array before the array is asked. So whoever comes after a crash knows where to look, and looks before
 * asking again: the volume's name on the array is one of a kind.
 */
public final class VolumeKeeper {

    private final Resources resources;
    private final Members members;
    private final Abandoned abandoned;
    private final Growth growth;
    private final ExternalVolumes externalVolumes;

    public VolumeKeeper(Resources resources, Members members, Abandoned abandoned, Growth growth) {
        this.resources = resources;
        this.members = members;
        this.abandoned = abandoned;
        this.growth = growth;
        this.externalVolumes = new ExternalVolumes(resources);
    }

    /** The volume when it can be used; whoever calls holds its lane. */
    public VscVolume provide(VscVolume wanted) {
        if (ExternalVolumes.begun(wanted)) {
            return externalVolumes.finish(wanted);
        }
        var volume = resources.volumes().protect(wanted);
        var tried = new HashSet<String>();
        while (state(volume) != State.READY) {
            volume = isPlaced(volume) ? make(volume, false, tried) : placeAndMake(volume, tried);
        }
        return volume;
    }

    /** Whether some array may still have to be asked about it. */
    public static boolean unsettled(VscVolume volume) {
        return Abandoned.any(volume);
    }

    /** @return whether nothing is left to do */
    public boolean settle(VscVolume volume) {
        return !Abandoned.any(abandoned.sweep(provide(volume)));
    }

    private VscVolume placeAndMake(VscVolume volume, Set<String> tried) {
        var source = sourceArray(volume);
        var member = source.isPresent() ? members.require(source.get()) : choose(volume, tried);
        requireFreeName(volume, member);
        var status = new VscVolume.Status(
                source.isPresent() ? State.CLONING : State.PROVISIONING,
                member.name(),
                "",
                "",
                member.known().pool().id(),
                null,
                null,
                null);
        return make(resources.volumes().status(volume, status), true, tried);
    }

    private Member choose(VscVolume volume, Set<String> tried) {
        String className = volume.getSpec().vscStorageClassName();
        var among = resources.arrays().by(Resources.BY_CLASS, className).stream()
                .filter(array -> !Kind.ending(array))
                .filter(array -> !tried.contains(array.getMetadata().getName()))
                .toList();
        if (among.isEmpty() && !tried.isEmpty()) {
            throw StowageException.exhausted(
                    "volume %s: no array of VSCStorageClass %s took it; last: %s",
                    name(volume),
                    className,
                    Optional.ofNullable(volume.getStatus().message()).orElse("no reason given"));
        }
        return members.place(name(volume), className, size(volume), among);
    }

    /** A copy is made where its source is. */
    private Optional<String> sourceArray(VscVolume volume) {
        return new Sources(resources).of(volume).map(Sources.Source::array);
    }

    /**
     * From now on a volume of this name on this array is taken for ours. The names of requests are one of a kind; a name that a person
     * chose may be that of another volume.
     */
    private static void requireFreeName(VscVolume volume, Member member) {
        String displayName = volume.getSpec().displayName();
        if (displayName.equals(name(volume))) {
            return;
        }
        Asking.about("volume " + name(volume), () -> member.client().volumeNamed(displayName))
                .ifPresent(other -> {
                    throw StowageException.alreadyExists(
                            "volume %s: array %s has another volume named '%s', %s; choose another displayName",
                            name(volume), member.name(), displayName, other.id());
                });
    }

    /** @param first whether the array cannot have been asked before */
    private VscVolume make(VscVolume volume, boolean first, Set<String> tried) {
        var member = members.require(volume.getStatus().vpsaId());
        Optional<String> id;
        try {
            id = ask(member, volume, first);
        } catch (ArrayException failed) {
            return elsewhere(volume, member, failed, first, tried);
        }
        try {
            var made = finished(member, volume, id);
            member.kept(name(volume));
            return resources.volumes().status(volume, ready(volume, made));
        } catch (ArrayException failed) {
            // It is there, or will be; whoever asks next finds it by its name.
            throw given(volume, member, failed);
        }
    }

    /** @return the id of the volume, where the array tells it */
    private Optional<String> ask(Member member, VscVolume volume, boolean first) {
        var client = member.client();
        String displayName = volume.getSpec().displayName();
        var present = first ? Optional.<ArrayVolume>empty() : client.volumeNamed(displayName);
        if (present.isPresent()) {
            return present.map(ArrayVolume::id);
        }
        var source = new Sources(resources).of(volume);
        try {
            if (source.isPresent()) {
                client.cloneVolume(
                        source.get().group(), displayName, source.get().snapshot());
                return Optional.empty();
            }
            return Optional.of(client.createVolume(new NewVolume(
                    displayName,
                    Math.ceilDiv(size(volume), Sizes.GIB),
                    member.known().pool().id(),
                    volume.getSpec().volumeType() == VolumeType.BLOCK,
                    Options.of(resources, volume))));
        } catch (Refused refused) {
            // An earlier request, of which nobody heard the answer, has come true meanwhile.
            if (!first && refused.status() == ArrayStatus.NAME_TAKEN) {
                return Optional.empty();
            }
            throw refused;
        }
    }

    private ArrayVolume finished(Member member, VscVolume volume, Optional<String> id) {
        var client = member.client();
        var made = Settling.await(
                "volume " + name(volume),
                () -> id.isPresent()
                        ? client.volume(id.get())
                        : client.volumeNamed(volume.getSpec().displayName()),
                ArrayVolume::usable);
        Optional.ofNullable(volume.getSpec().description())
                .filter(text -> !text.isEmpty() && !text.equals(made.comment()))
                .ifPresent(text -> client.comment(made.id(), text));
        return volume.getSpec().source() == null ? made : growth.reach(member, volume, made, size(volume));
    }

    /**
     * The array did not make it. One that said no at the first request, or was not asked, has nothing of it; any other may have, or
     * have yet, which is put on record before another is asked. A copy cannot go elsewhere.
     */
    private VscVolume elsewhere(
            VscVolume volume, Member member, ArrayException failed, boolean first, Set<String> tried) {
        boolean certain = first
                && switch (failed) {
                    case Refused refused -> true;
                    case Unreachable unreachable -> unreachable.notAsked();
                };
        boolean copy = volume.getSpec().source() != null;
        if (!certain && (copy || alternatives(volume, member, tried) == 0)) {
            throw given(volume, member, failed);
        }
        tried.add(member.name());
        member.forget(name(volume));
        var noted = certain ? volume : abandoned.note(volume, member.name());
        var unplaced = resources.volumes().status(noted, VscVolume.Status.NONE.in(State.CREATING, failed.getMessage()));
        if (copy) {
            throw Asking.explained(what(volume, member), failed);
        }
        return unplaced;
    }

    /** What the caller is told; the resource says it, too. */
    private StowageException given(VscVolume volume, Member member, ArrayException failed) {
        resources.volumes().status(volume, volume.getStatus().in(state(volume), failed.getMessage()));
        return Asking.explained(what(volume, member), failed);
    }

    private static String what(VscVolume volume, Member member) {
        return "volume %s on array %s".formatted(name(volume), member.name());
    }

    private long alternatives(VscVolume volume, Member member, Set<String> tried) {
        return resources.arrays().by(Resources.BY_CLASS, volume.getSpec().vscStorageClassName()).stream()
                .map(array -> array.getMetadata().getName())
                .filter(name -> !name.equals(member.name()) && !tried.contains(name))
                .flatMap(name -> members.find(name).stream())
                .filter(other -> other.objection(size(volume)).isEmpty())
                .count();
    }

    private static VscVolume.Status ready(VscVolume volume, ArrayVolume made) {
        boolean block = volume.getSpec().volumeType() == VolumeType.BLOCK;
        return new VscVolume.Status(
                State.READY,
                volume.getStatus().vpsaId(),
                made.id(),
                made.group(),
                made.pool(),
                block ? null : new VscVolume.Nas(made.exportPath(), false),
                block ? new VscVolume.Block() : null,
                null);
    }

    private static boolean isPlaced(VscVolume volume) {
        return !volume.getStatus().vpsaId().isEmpty();
    }

    public static State state(VscVolume volume) {
        return Optional.ofNullable(volume.getStatus().state()).orElse(State.CREATING);
    }

    static long size(VscVolume volume) {
        return volume.getSpec().size().getNumericalAmount().longValueExact();
    }

    static String name(VscVolume volume) {
        return volume.getMetadata().getName();
    }
}
