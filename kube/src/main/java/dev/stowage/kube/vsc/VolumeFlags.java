package dev.stowage.kube.vsc;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.PreserveUnknownFields;
import io.fabric8.generator.annotation.Required;
import java.util.Map;

/** What the array does with the data of a volume. */
@PreserveUnknownFields
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record VolumeFlags(
        @Required @JsonPropertyDescription("Compress the data; needs an all-flash array")
        boolean compress,

        @Required @JsonPropertyDescription("Deduplicate the data; needs an all-flash array")
        boolean dedupe,

        @Required @JsonPropertyDescription("Encrypt the data")
        boolean encrypt,

        @JsonPropertyDescription("Further fields of the call by which the array makes a volume")
        Map<String, String> extra) {

    public VolumeFlags {
        extra = extra == null ? Map.of() : Map.copyOf(extra);
    }
}
