package dev.stowage.kube;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crdv2.generator.CRDGenerator;
import io.fabric8.crdv2.generator.CRDPostProcessor;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceColumnDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** The definitions of the resources of one group, as the chart installs them. */
public final class Definitions {

    /** Removing the definitions would remove the resources, and with them what is known about the volumes. */
    public static final String KEPT = "metadata:\n  annotations:\n    helm.sh/resource-policy: keep\n";

    private static final String QUANTITY =
            "^(\\+|-)?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE](\\+|-)?[0-9]+)?$";
    static final Path CHART = Path.of("..", "charts", "stowage", "files", "crds");

    private final Path checkedIn;
    private final Path generated;
    private final List<Class<? extends HasMetadata>> types;

    public Definitions(String folder, Path generated, List<Class<? extends HasMetadata>> types) {
        this.checkedIn = CHART.resolve(folder);
        this.generated = generated;
        this.types = List.copyOf(types);
    }

    /** Compares what is checked in with the type, after writing it when this is asked for. */
    public void check(Class<? extends HasMetadata> type) throws IOException {
        String made = of(type);
        Path file = checkedIn.resolve(HasMetadata.getFullResourceName(type) + ".yaml");
        if ("write".equals(System.getProperty("stowage.definitions"))) {
            Files.createDirectories(checkedIn);
            Files.writeString(file, made);
        }
        assertThat(file)
                .as("write it with -Dstowage.definitions=write")
                .content()
                .isEqualTo(made);
    }

    public String of(Class<? extends HasMetadata> type) throws IOException {
        String name = HasMetadata.getFullResourceName(type);
        new CRDGenerator()
                .customResourceClasses(List.copyOf(types))
                .forCRDVersions(List.of("v1"))
                .withPostProcessor(new Refinement())
                .inOutputDir(generated.toFile())
                .generate();
        return Files.readString(generated.resolve(name + "-v1.yml"))
                .replaceFirst("(?m)^# .*\\R", "")
                .replaceFirst("metadata:\n", KEPT);
    }

    /** What the generator leaves out. */
    private final class Refinement implements CRDPostProcessor {
        @Override
        public HasMetadata process(HasMetadata definition, String version) {
            String name = definition.getMetadata().getName();
            var type = types.stream()
                    .filter(candidate ->
                            HasMetadata.getFullResourceName(candidate).equals(name))
                    .findFirst()
                    .orElseThrow();
            for (var each : ((CustomResourceDefinition) definition).getSpec().getVersions()) {
                each.setAdditionalPrinterColumns(inOrder(type, each.getAdditionalPrinterColumns()));
                withPatterns(each.getSchema().getOpenAPIV3Schema());
            }
            return definition;
        }

        /** The generator sorts the columns by their paths; people read them in the order in which the type has them. */
        private static List<CustomResourceColumnDefinition> inOrder(
                Class<? extends HasMetadata> type, List<CustomResourceColumnDefinition> columns) {
            var order = Arrays.stream(type.getAnnotationsByType(AdditionalPrinterColumn.class))
                    .map(AdditionalPrinterColumn::name)
                    .toList();
            return columns.stream()
                    .sorted(Comparator.comparingInt(column -> order.indexOf(column.getName())))
                    .toList();
        }

        /** A quantity that nobody can read would be in the way of all other objects of the list. */
        private static void withPatterns(JSONSchemaProps schema) {
            if (Boolean.TRUE.equals(schema.getXKubernetesIntOrString())) {
                schema.setPattern(QUANTITY);
            }
            schema.getProperties().values().forEach(Refinement::withPatterns);
        }
    }
}
