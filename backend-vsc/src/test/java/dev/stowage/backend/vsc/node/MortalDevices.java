package dev.stowage.backend.vsc.node;

import dev.stowage.core.health.HealthIssue;
import dev.stowage.core.health.StorageIssue;
import dev.stowage.core.id.VolumeId;
import dev.stowage.node.Devices;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Devices of a process that may die within another one: what it holds open goes with it. */
final class MortalDevices implements Devices {

    private final Devices real;
    private final List<Hold> holds = new ArrayList<>();

    MortalDevices(Devices real) {
        this.real = real;
    }

    /** What the kernel does when a process ends. */
    void die() {
        holds.forEach(Hold::close);
        holds.clear();
    }

    @Override
    public Hold attach(VolumeId volume, How how) {
        var hold = real.attach(volume, how);
        holds.add(hold);
        return hold;
    }

    @Override
    public Optional<Device> attached(VolumeId volume) {
        return real.attached(volume);
    }

    @Override
    public void cut(VolumeId volume) {
        real.cut(volume);
    }

    @Override
    public void detach(VolumeId volume, Optional<Device> recorded) {
        real.detach(volume, recorded);
    }

    @Override
    public long resize(Device device) {
        return real.resize(device);
    }

    @Override
    public void setReadOnly(Device device, boolean readOnly) {
        real.setReadOnly(device, readOnly);
    }

    @Override
    public long size(Device device) {
        return real.size(device);
    }

    @Override
    public void tune(Device device, Map<String, String> settings) {
        real.tune(device, settings);
    }

    @Override
    public List<HealthIssue> health(VolumeId volume) {
        return real.health(volume);
    }

    @Override
    public List<StorageIssue> storageHealth() {
        return real.storageHealth();
    }
}
