package dev.stowage.clustertests;

import dev.stowage.workbench.cluster.Cluster;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives tests the cluster they need. */
final class ClusterExtension implements BeforeAllCallback, ParameterResolver {
    private static final Namespace NAMESPACE = Namespace.create(ClusterExtension.class);

    @Override
    public void beforeAll(ExtensionContext context) {
        clusterFor(context);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Cluster.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return clusterFor(context);
    }

    private static Cluster clusterFor(ExtensionContext context) {
        var needs = context.getRequiredTestClass().getAnnotation(NeedsCluster.class);
        if (needs == null) {
            throw new IllegalStateException(context.getRequiredTestClass() + " is not annotated with @NeedsCluster");
        }
        // The store of a class is closed with the class, that of the root at the end.
        var store = (needs.alone() ? ofClass(context) : context.getRoot()).getStore(NAMESPACE);
        String name = needs.alone() ? "alone" : "tests";
        return store.computeIfAbsent(name, ClusterOfThisRun::new, ClusterOfThisRun.class)
                .withNodes(needs.nodes());
    }

    private static ExtensionContext ofClass(ExtensionContext context) {
        return context.getTestMethod().isEmpty()
                ? context
                : ofClass(context.getParent().orElseThrow());
    }
}
