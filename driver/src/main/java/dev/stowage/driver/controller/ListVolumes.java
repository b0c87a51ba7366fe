package dev.stowage.driver.controller;

import csi.v1.ListVolumesRequest;
import csi.v1.ListVolumesResponse;
import dev.stowage.core.backend.ControllerSide;
import dev.stowage.core.page.PageRequest;
import dev.stowage.core.volume.Volume;
import dev.stowage.driver.call.Operation;
import dev.stowage.driver.message.Requests;
import dev.stowage.driver.message.Responses;

final class ListVolumes implements Operation<ListVolumesRequest, PageRequest, ListVolumesResponse> {

    private final ControllerSide storage;

    ListVolumes(ControllerSide storage) {
        this.storage = storage;
    }

    @Override
    public PageRequest parse(ListVolumesRequest request) {
        return Requests.page(request.getMaxEntries(), request.getStartingToken());
    }

    @Override
    public ListVolumesResponse perform(PageRequest wanted) {
        var page = storage.volumes().list(wanted);
        return ListVolumesResponse.newBuilder()
                .addAllEntries(page.map(this::entry).entries())
                .setNextToken(page.nextToken())
                .build();
    }

    private ListVolumesResponse.Entry entry(Volume volume) {
        var entry = ListVolumesResponse.Entry.newBuilder().setVolume(Responses.volume(volume));
        if (storage.attachments().isPresent()) {
            entry.getStatusBuilder().addAllPublishedNodeIds(Responses.publishedTo(volume));
        }
        return entry.build();
    }
}
