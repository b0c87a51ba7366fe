package dev.stowage.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.linux.filesystem.FilesystemType;
import java.util.ArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ConcurrencyTest {

    private static final int VOLUMES = 8;
    private static final int ROUNDS = 5;

    private final TestNode node = new TestNode();

    @AfterEach
    void takeAway() {
        node.close();
    }

    @Test
    void differentVolumesDoNotDisturbEachOther() throws Exception {
        var work = new ArrayList<Future<?>>();
        try (var workers = Executors.newFixedThreadPool(VOLUMES)) {
            for (int i = 0; i < VOLUMES; i++) {
                var volume = node.volume("v" + i, FilesystemType.EXT4);
                node.stagingPath(volume);
                var use = i % 2 == 0 ? TestNode.EXT4 : TestNode.BLOCK;
                work.add(workers.submit(() -> {
                    for (int round = 0; round < ROUNDS; round++) {
                        node.stage(volume, use);
                        node.publish(volume, "pod-" + volume, use, false);
                        assertThat(node.engine
                                        .health(node.published(volume, "pod-" + volume))
                                        .issues())
                                .isEmpty();
                        node.unpublish(volume, "pod-" + volume);
                        node.unstage(volume);
                    }
                }));
            }
        }
        for (var one : work) {
            one.get();
        }
        assertThat(node.mounts()).isEmpty();
        assertThat(node.loops()).isEmpty();
        node.crashAndRestart();
        assertThat(node.records.volumes())
                .hasSize(VOLUMES)
                .allMatch(volume -> node.records.stage(volume).isEmpty()
                        && node.records.publications(volume).isEmpty());
    }
}
