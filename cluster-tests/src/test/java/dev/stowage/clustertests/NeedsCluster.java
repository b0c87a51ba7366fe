package dev.stowage.clustertests;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The tests of this class run against a real Kubernetes. A parameter of type {@link dev.stowage.workbench.cluster.Cluster} is it. One
 * cluster serves all classes of a run: it is started for the first that asks, grows if another wants more nodes, and is taken down
 * at the end. So every class works in a namespace of its own and leaves the cluster as it found it.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(ClusterExtension.class)
public @interface NeedsCluster {

    /** At least how many nodes. */
    int nodes() default 1;

    /** Whether it is one for this class only, which is needed for what a cluster has once. It is taken down after the class. */
    boolean alone() default false;
}
