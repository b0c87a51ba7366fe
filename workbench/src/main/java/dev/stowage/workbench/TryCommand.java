package dev.stowage.workbench;

import dev.stowage.workbench.cluster.Cluster;
import dev.stowage.workbench.cluster.Layout;
import dev.stowage.workbench.story.Story;
import dev.stowage.workbench.tour.KubernetesTour;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "try",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Shows the main job in a Kubernetes: a cluster on this machine, the chart, a pod that writes to a volume,",
            "a snapshot of it, and a restored copy. The cluster stays, to look around."
        })
final class TryCommand implements Callable<Integer> {

    @Option(
            names = "--kubernetes",
            required = true,
            description = "In a Kubernetes. Without it, the driver alone is shown.")
    private boolean kubernetes;

    @Option(names = "--remove", description = "Take the cluster away at the end.")
    private boolean remove;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            defaultValue = Layout.DEFAULT_NAME,
            description = "The name of the cluster; one that is there is used (default: ${DEFAULT-VALUE}).")
    private String name = Layout.DEFAULT_NAME;

    @Override
    public Integer call() {
        var layout = Layout.of(name, Layout.defaultParent());
        var story = Story.on(System.out);
        try {
            new KubernetesTour(Environment.home(), layout, story).run();
        } finally {
            if (remove) {
                Cluster.down(layout, story);
            }
        }
        return 0;
    }
}
