package dev.stowage.conformance.vsc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;

/** What {@code kubectl get} shows, as the API server makes it. */
record Table(List<String> columns, List<String> wideColumns, List<List<String>> rows) {

    static Table of(KubernetesClient client, String resource) {
        var request = client.getHttpClient()
                .newHttpRequestBuilder()
                .uri(URI.create(client.getMasterUrl() + "apis/storage.zadara.com/v1/" + resource))
                .header("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io")
                .build();
        String body =
                client.getHttpClient().sendAsync(request, String.class).join().body();
        try {
            return parse(new ObjectMapper().readTree(body));
        } catch (IOException notATable) {
            throw new IllegalStateException(body, notATable);
        }
    }

    private static Table parse(JsonNode table) {
        var columns = new ArrayList<String>();
        var wide = new ArrayList<String>();
        for (JsonNode column : table.get("columnDefinitions")) {
            (column.get("priority").asInt() == 0 ? columns : wide)
                    .add(column.get("name").asText());
        }
        var rows = StreamSupport.stream(table.get("rows").spliterator(), false)
                .map(row -> StreamSupport.stream(row.get("cells").spliterator(), false)
                        .map(JsonNode::asText)
                        .toList())
                .toList();
        return new Table(columns, wide, rows);
    }

    /** The only row, without the age. */
    List<String> cells() {
        var row = rows.getFirst();
        return row.subList(0, row.size() - 1);
    }
}
