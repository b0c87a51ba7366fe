package dev.stowage.backend.vsc.central.member;

import dev.stowage.arrayapi.ArrayController;
import dev.stowage.arrayapi.ArrayException;
import dev.stowage.arrayapi.ArrayException.Refused;
import dev.stowage.arrayapi.ArrayException.Unreachable;
import dev.stowage.arrayapi.ArrayPool;
import dev.stowage.backend.vsc.central.resource.Kind;
import dev.stowage.backend.vsc.central.resource.Resources;
import dev.stowage.backend.vsc.secret.Vault;
import dev.stowage.core.error.StowageException;
import dev.stowage.kube.Events;
import dev.stowage.kube.vsc.Capacity;
import dev.stowage.kube.vsc.CapacityMode;
import dev.stowage.kube.vsc.Vpsa;
import dev.stowage.kube.vsc.Vpsa.State;
import dev.stowage.kube.vsc.VscResources;
import io.fabric8.kubernetes.api.model.Quantity;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes an array a member and keeps its resource true.
 *
 * <p>An array that joins is checked, set right, and what is on it becomes known; from then on it is looked at now and then. A look
 * costs the same few calls however many volumes there are, but for the pages of its lists.
 */
public final class ArraySync {

    private final Resources resources;
    private final Members members;
    private final Vault secrets;
    private final Import imports;
    private final Events events;
    private final Runnable becameReady;

    /** @param becameReady is called when an array can be asked that could not before */
    public ArraySync(
            Resources resources, Members members, Vault secrets, Import imports, Events events, Runnable becameReady) {
        this.resources = resources;
        this.members = members;
        this.secrets = secrets;
        this.imports = imports;
        this.events = events;
        this.becameReady = becameReady;
    }

    /** @return whether there is nothing more to do before the next time */
    public boolean sync(String name) {
        var found = resources.arrays().find(name);
        if (found.isEmpty()) {
            members.remove(name);
            return true;
        }
        var array = found.get();
        return Kind.ending(array) ? leave(array) : look(resources.arrays().protect(array));
    }

    private boolean look(Vpsa told) {
        Vpsa array;
        Member member;
        try {
            var encrypted = encryptToken(told);
            if (encrypted.isEmpty()) {
                // Somebody has just written another token.
                return false;
            }
            array = encrypted.get();
            requireClass(array);
            member = members.ensure(array, plainToken(array));
        } catch (StowageException unusable) {
            show(told, told.getStatus().in(State.FAILED, unusable.getMessage()));
            members.find(told.getMetadata().getName())
                    .ifPresent(present -> present.troubled("is Failed: " + unusable.getMessage()));
            return true;
        }
        try {
            return meet(array, member);
        } catch (Unreachable unreachable) {
            member.troubled("is Unreachable: " + unreachable.getMessage());
            show(array, array.getStatus().in(State.UNREACHABLE, unreachable.getMessage()));
            return false;
        } catch (Refused refused) {
            member.troubled("is Failed: " + refused.getMessage());
            show(array, array.getStatus().in(State.FAILED, refused.getMessage()));
            return false;
        }
    }

    private void requireClass(Vpsa array) {
        String wanted = array.getSpec().vscStorageClassName();
        if (resources.classes().told(wanted).isEmpty()
                && resources.classes().find(wanted).isEmpty()) {
            throw StowageException.notPossible(
                    "VSCStorageClass %s, which it is to be a member of, does not exist; create it", wanted);
        }
    }

    private boolean meet(Vpsa array, Member member) throws ArrayException {
        long askedAt = System.nanoTime();
        var client = member.client();
        var controller = client.controller();
        if (controller.isEmpty()) {
            throw new Unreachable(
                    ArrayException.Cause.NOT_AN_ARRAY, "none of its controllers is active; see the array itself", null);
        }
        var pools = client.pools();
        String version = controller.get().softwareVersion();
        var objection = Requirements.objection(version, pools);
        if (objection.isPresent()) {
            member.troubled("is Incompatible: " + objection.get());
            show(array, array.getStatus().in(State.INCOMPATIBLE, objection.get()));
            return true;
        }
        boolean joining = array.getStatus().state() != State.READY;
        var current =
                joining ? show(array, array.getStatus().in(State.CONFIGURING, "its settings are checked")) : array;
        if (joining) {
            var configured = current;
            PoolSettings.correct(client, pools.getFirst())
                    .ifPresent(change -> events.normal(configured, "Configured", change));
        }
        var inventory = new Import.Inventory(client.volumes(), client.snapshots());
        if (joining) {
            current = show(current, current.getStatus().in(State.IMPORTING, "what is on it becomes known"));
        }
        if (joining
                || Kind.annotation(array, VscResources.MANAGE_EXTERNAL_VOLUMES).isPresent()) {
            imports.bringIn(current, inventory);
        }
        var pool = pools.getFirst();
        boolean unknown = member.view().isEmpty();
        member.seen(
                new Member.View(
                        controller.get(),
                        pool,
                        inventory.volumes().size(),
                        inventory.snapshots().size()),
                askedAt);
        if (joining || unknown) {
            becameReady.run();
        }
        show(current, ready(current, controller.get(), pool, inventory));
        return true;
    }

    private Vpsa.Status ready(Vpsa array, ArrayController controller, ArrayPool pool, Import.Inventory inventory) {
        return new Vpsa.Status(
                State.READY,
                controller.target(),
                controller.chapUser(),
                chapSecret(array, controller),
                null,
                Requirements.legacy(controller.softwareVersion()),
                new Capacity(
                        bytes(pool.capacityBytes()),
                        bytes(pool.availableBytes()),
                        CapacityMode.valueOf(pool.mode().toUpperCase(Locale.ROOT))),
                new Vpsa.Counters(
                        1, inventory.volumes().size(), inventory.snapshots().size()),
                new Vpsa.SoftwareVersion(controller.softwareVersion()),
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                null);
    }

    /** Encrypted anew only if it has changed, because each time it would look different. */
    private String chapSecret(Vpsa array, ArrayController controller) {
        String place = place(array, "CHAPSecret");
        String stored = array.getStatus().chapSecret();
        return stored != null && secrets.holds(place, stored, controller.chapSecret())
                ? stored
                : secrets.encrypted(place, controller.chapSecret());
    }

    /** Empty when the token is no longer the one that was told. */
    private Optional<Vpsa> encryptToken(Vpsa array) {
        String token = array.getSpec().token();
        if (token == null || token.isEmpty()) {
            return Optional.of(array);
        }
        String place = place(array, "token");
        if (!secrets.isEncrypted(token)) {
            return resources.arrays().replace(array, "token", token, secrets.encrypted(place, token));
        }
        var again = secrets.reencrypted(place, token);
        return again.isEmpty() ? Optional.of(array) : resources.arrays().replace(array, "token", token, again.get());
    }

    private String plainToken(Vpsa array) {
        String token = array.getSpec().token();
        if (token == null || token.isEmpty()) {
            throw StowageException.notPossible("it has no token; write the array's access key into spec.token");
        }
        return secrets.plain(place(array, "token"), token);
    }

    private static String place(Vpsa array, String field) {
        return "VPSA/%s/%s".formatted(array.getMetadata().getName(), field);
    }

    /** Volumes that were made keep their array; what was only brought in goes with it, and its data stays. */
    private boolean leave(Vpsa array) {
        String name = array.getMetadata().getName();
        int volumes = resources.volumes().by(Resources.BY_ARRAY, name).size();
        if (volumes > 0) {
            show(
                    array,
                    array.getStatus()
                            .in(
                                    State.DELETING,
                                    "%d volumes are still on it; it goes when they have been deleted"
                                            .formatted(volumes)));
            return false;
        }
        imports.forget(name);
        members.remove(name);
        resources.arrays().release(array);
        return true;
    }

    private Vpsa show(Vpsa array, Vpsa.Status now) {
        var before = array.getStatus();
        if (before.equals(now)) {
            return array;
        }
        var shown = resources.arrays().status(array, now);
        if (before.state() != now.state()) {
            tell(shown, now);
        } else if (mode(before) != mode(now)) {
            events.normal(
                    shown,
                    "CapacityMode",
                    "capacity mode is now %s, was %s".formatted(word(mode(now)), word(mode(before))));
        }
        return shown;
    }

    private void tell(Vpsa array, Vpsa.Status now) {
        var state = Objects.requireNonNull(now.state());
        String message = Optional.ofNullable(now.message()).orElse("the array is a member and takes volumes");
        String reason = Kind.word(state);
        switch (state) {
            case READY, CONFIGURING, IMPORTING, DELETING -> events.normal(array, reason, message);
            case INCOMPATIBLE, UNREACHABLE, FAILED -> events.warning(array, reason, message);
        }
    }

    private static @Nullable CapacityMode mode(Vpsa.Status status) {
        return status.capacity() == null ? null : status.capacity().mode();
    }

    private static String word(@Nullable CapacityMode mode) {
        return mode == null ? "unknown" : Kind.word(mode);
    }

    private static Quantity bytes(long bytes) {
        return new Quantity(String.valueOf(bytes));
    }
}
