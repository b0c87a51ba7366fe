package dev.stowage.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.type.TypeFactory;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Objects;

/** A definition that is written by hand, because it holds more than its type reads. What the type reads and writes has to be in it. */
public final class HandWrittenDefinition {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final CustomResourceDefinition definition;
    private final Class<? extends CustomResource<?, ?>> type;

    private HandWrittenDefinition(CustomResourceDefinition definition, Class<? extends CustomResource<?, ?>> type) {
        this.definition = definition;
        this.type = type;
    }

    public static HandWrittenDefinition of(String folder, Class<? extends CustomResource<?, ?>> type)
            throws IOException {
        String text = Files.readString(
                Definitions.CHART.resolve(folder).resolve(HasMetadata.getFullResourceName(type) + ".yaml"));
        return new HandWrittenDefinition(
                new KubernetesSerialization().unmarshal(text, CustomResourceDefinition.class), type);
    }

    private CustomResourceDefinitionVersion version() {
        assertThat(definition.getSpec().getVersions()).hasSize(1);
        return definition.getSpec().getVersions().getFirst();
    }

    /** The schema of what is at a place, such as the network in the spec. */
    public JSONSchemaProps part(String... path) {
        var schema = version().getSchema().getOpenAPIV3Schema();
        for (String name : path) {
            schema = property(schema, name, String.join(".", path));
        }
        return schema;
    }

    /** It is called as the type is, and stays when the release goes. */
    public void checkNames() {
        var spec = definition.getSpec();
        assertThat(definition.getMetadata().getName()).isEqualTo(HasMetadata.getFullResourceName(type));
        assertThat(definition.getMetadata().getAnnotations()).containsEntry("helm.sh/resource-policy", "keep");
        assertThat(spec.getGroup()).isEqualTo(HasMetadata.getGroup(type));
        assertThat(spec.getScope()).isEqualTo(Namespaced.class.isAssignableFrom(type) ? "Namespaced" : "Cluster");
        assertThat(spec.getNames().getKind()).isEqualTo(HasMetadata.getKind(type));
        assertThat(spec.getNames().getListKind()).isEqualTo(HasMetadata.getKind(type) + "List");
        assertThat(spec.getNames().getPlural()).isEqualTo(HasMetadata.getPlural(type));
        assertThat(spec.getNames().getSingular()).isEqualTo(HasMetadata.getSingular(type));
        assertThat(version().getName()).isEqualTo(HasMetadata.getVersion(type));
        assertThat(version().getSubresources().getStatus()).isNotNull();
    }

    /** Every field of the type is in the schema at its place, as what it is. Otherwise the API server would drop it. */
    public void checkFields() {
        var parts = TypeFactory.defaultInstance().constructType(type).findTypeParameters(CustomResource.class);
        check(parts[0], part("spec"), "spec");
        check(parts[1], part("status"), "status");
    }

    private static void check(JavaType field, JSONSchemaProps schema, String path) {
        assertThat(schema.getType()).as(path).isEqualTo(typeOf(field));
        if (field.isContainerType() && !field.isMapLikeType()) {
            check(field.getContentType(), schema.getItems().getSchema(), path + "[]");
        } else if (field.getRawClass().isRecord()) {
            for (var property :
                    MAPPER.getSerializationConfig().introspect(field).findProperties()) {
                String name = property.getName();
                check(property.getPrimaryType(), property(schema, name, path), path + "." + name);
            }
        } else if (field.isMapLikeType() && field.getContentType().hasRawClass(String.class)) {
            check(field.getContentType(), schema.getAdditionalProperties().getSchema(), path + "{}");
        } else if (schema.getType().equals("object")) {
            assertThat(schema.getXKubernetesPreserveUnknownFields())
                    .as("%s, of which nothing is told, is kept", path)
                    .isTrue();
        }
    }

    private static JSONSchemaProps property(JSONSchemaProps schema, String name, String path) {
        assertThat(schema.getProperties()).as(path).containsKey(name);
        return Objects.requireNonNull(schema.getProperties().get(name));
    }

    private static String typeOf(JavaType field) {
        Class<?> raw = field.getRawClass();
        if (raw == String.class) {
            return "string";
        }
        if (raw == Boolean.class || raw == boolean.class) {
            return "boolean";
        }
        if (raw == Integer.class || raw == int.class || raw == Long.class || raw == long.class) {
            return "integer";
        }
        return field.isCollectionLikeType() ? "array" : "object";
    }
}
