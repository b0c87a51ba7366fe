package dev.stowage.backend.local.volume;

import dev.stowage.backend.local.pool.Pool;
import dev.stowage.backend.local.pool.PoolRecords;
import dev.stowage.backend.local.pool.PoolSpace;
import dev.stowage.backend.local.pool.PoolSpace.Demand;
import dev.stowage.backend.local.record.LifeState;
import dev.stowage.backend.local.record.VolumeRecord;
import dev.stowage.backend.local.snapshot.StillSource;
import dev.stowage.core.backend.Volumes;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.page.Page;
import dev.stowage.core.page.PageRequest;
import dev.stowage.core.page.Paging;
import dev.stowage.core.volume.ContentSource;
import dev.stowage.core.volume.Topology;
import dev.stowage.core.volume.Volume;
import dev.stowage.core.volume.VolumeUse;
import dev.stowage.linux.SyscallException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/** Volumes as files of the pool. */
public final class LocalVolumes implements Volumes {

    private final Pool pool;
    private final PoolRecords records;
    private final PoolSpace space;
    private final StillSource still;
    private final Topology here;
    private final Consumer<VolumeId> afterDelete;

    /** @param afterDelete is told of volumes that are gone, to forget them too */
    public LocalVolumes(
            Pool pool,
            PoolRecords records,
            PoolSpace space,
            StillSource still,
            Topology here,
            Consumer<VolumeId> afterDelete) {
        this.pool = pool;
        this.records = records;
        this.space = space;
        this.still = still;
        this.here = here;
        this.afterDelete = afterDelete;
    }

    @Override
    public Volume create(Wanted wanted) {
        wanted.uses().forEach(VolumeRules::requirePossible);
        var parameters = VolumeParameters.parse(wanted.parameters(), wanted.mutableParameters());
        parameters.smallestSize(wanted.uses());
        var existing = records.volumeNamed(wanted.name().value());
        if (existing.isPresent()) {
            var settled = settle(existing.get());
            if (settled.isPresent()) {
                requireSameWish(settled.get(), wanted, parameters);
                return VolumeView.of(settled.get(), here);
            }
        }
        if (!wanted.topology().allows(here)) {
            throw StowageException.exhausted(
                    "volume '%s': it is wanted in a place that this pool does not serve; the pool's place is %s",
                    wanted.name(), here.segments());
        }
        var record = VolumeRecord.newBuilder()
                .setId("vol-" + UUID.randomUUID().toString().replace("-", ""))
                .setName(wanted.name().value())
                .setState(LifeState.CREATING)
                .putAllFixedParameters(parameters.fixed())
                .putAllCreatedWith(parameters.mutable())
                .putAllVariableParameters(parameters.mutable());
        return switch (wanted.source().orElse(null)) {
            case null -> createBlank(wanted, parameters, record);
            case ContentSource.OfSnapshot(var snapshot) -> {
                record.setSourceSnapshot(snapshot.value());
                try (var source = still.snapshot(snapshot)) {
                    yield createCopy(wanted, parameters, record, source);
                }
            }
            case ContentSource.OfVolume(var volume) -> {
                record.setSourceVolume(volume.value());
                try (var source = still.volume(volume)) {
                    yield createCopy(wanted, parameters, record, source);
                }
            }
        };
    }

    private Volume createBlank(Wanted wanted, VolumeParameters parameters, VolumeRecord.Builder record) {
        long size = VolumeRules.blankSize(wanted, parameters);
        var demand = parameters.thick() ? Demand.thick(size) : Demand.thin(size);
        return fulfil(
                record.setSizeBytes(size)
                        .putAllContext(parameters.context(wanted.uses(), size, Map.of()))
                        .build(),
                demand,
                id -> VolumeFiles.createBlank(pool.volumes(), id, size, parameters.thick()));
    }

    private Volume createCopy(
            Wanted wanted, VolumeParameters parameters, VolumeRecord.Builder record, StillSource.Still source) {
        long size = VolumeRules.copySize(wanted, parameters, source.sizeBytes());
        long atOnce = parameters.thick()
                ? size
                : pool.sharesBlocks() ? 0 : source.file().allocatedBytes();
        return fulfil(
                record.setSizeBytes(size)
                        .putAllContext(parameters.context(wanted.uses(), size, source.context()))
                        .build(),
                new Demand(size, 0, atOnce),
                id -> VolumeFiles.createCopy(
                        pool,
                        source.file(),
                        pool.volumes(),
                        id,
                        size,
                        parameters.thick(),
                        source.progress(),
                        source::letGoOn));
    }

    private interface Making {
        void make(String id);
    }

    /** The wish on record, then the file, then the record that it is there. */
    private Volume fulfil(VolumeRecord wish, Demand demand, Making making) {
        String what = "volume '" + wish.getName() + "'";
        try (var claim = space.claim(what, demand)) {
            records.put(wish);
            try {
                making.make(wish.getId());
            } catch (SyscallException failure) {
                undo(wish);
                throw VolumeFiles.explained(what, pool, failure);
            } catch (StowageException failure) {
                undo(wish);
                throw failure;
            }
            var ready = wish.toBuilder().setState(LifeState.READY).build();
            records.put(ready);
            claim.keep();
            return VolumeView.of(ready, here);
        }
    }

    private void undo(VolumeRecord wish) {
        VolumeFiles.remove(pool.volumes(), wish.getId());
        records.remove(wish);
    }

    /** Finishes or undoes what a crash or a failure left half done. Empty when nothing remains of it. */
    public Optional<VolumeRecord> settle(VolumeRecord record) {
        return switch (record.getState()) {
            case READY -> Optional.of(record);
            case CREATING, DELETING -> {
                undo(record);
                afterDelete.accept(new VolumeId(record.getId()));
                yield Optional.empty();
            }
            case LIFE_STATE_UNSPECIFIED, UNRECOGNIZED ->
                throw StowageException.internal(
                        "volume %s is in a state that this version does not know; was it written by a newer one?",
                        record.getId());
        };
    }

    private void requireSameWish(VolumeRecord existing, Wanted wanted, VolumeParameters parameters) {
        var made = new VolumeRules.Made(
                existing.getName(),
                existing.getId(),
                existing.getSizeBytes(),
                VolumeView.sourceOf(existing),
                new VolumeParameters(existing.getFixedParametersMap(), existing.getCreatedWithMap()),
                here);
        VolumeRules.requireSameWish(made, wanted, parameters);
    }

    @Override
    public void delete(VolumeId volume) {
        var record = records.volumes().get(volume);
        if (record == null) {
            return;
        }
        if (record.getState() == LifeState.READY) {
            requireUnused(volume, record);
            record = record.toBuilder().setState(LifeState.DELETING).build();
            records.put(record);
        }
        long promised = record.getState() == LifeState.DELETING ? record.getSizeBytes() : 0;
        try {
            undo(record);
        } catch (SyscallException failure) {
            throw VolumeFiles.explained("volume " + volume, pool, failure);
        }
        space.forget(promised, 0);
        afterDelete.accept(volume);
    }

    private void requireUnused(VolumeId volume, VolumeRecord record) {
        if (record.getAttachmentsCount() > 0) {
            throw StowageException.notPossible(
                    "volume %s is still published to node %s; unpublish it first",
                    volume, record.getAttachments(0).getNode());
        }
        LiveUse.of(pool, volume).ifPresent(use -> {
            throw StowageException.notPossible(
                    "volume %s is still in use on this node as /dev/loop%d%s; unstage it first",
                    volume, use.loop(), use.rawDevice() ? "" : ", mounted at " + use.mountPoint());
        });
    }

    @Override
    public Volume find(VolumeId volume) {
        return VolumeView.of(require(records, volume), here);
    }

    static VolumeRecord require(PoolRecords records, VolumeId volume) {
        var record = records.volumes().get(volume);
        if (record == null || record.getState() != LifeState.READY) {
            throw StowageException.notFound("volume %s does not exist", volume);
        }
        return record;
    }

    @Override
    public Page<Volume> list(PageRequest page) {
        return Paging.of(records.volumes(), page, VolumeId::new, record -> record.getState() == LifeState.READY)
                .map(record -> VolumeView.of(record, here));
    }

    @Override
    public Optional<String> objection(
            VolumeId volume,
            List<VolumeUse> uses,
            Map<String, String> context,
            Map<String, String> parameters,
            Map<String, String> mutableParameters) {
        var record = require(records, volume);
        return VolumeRules.objection(
                VolumeView.parametersOf(record),
                record.getSizeBytes(),
                record.getContextMap(),
                uses,
                context,
                parameters,
                mutableParameters);
    }

    @Override
    public boolean clonable() {
        return true;
    }
}
