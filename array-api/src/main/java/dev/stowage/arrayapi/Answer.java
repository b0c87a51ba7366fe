package dev.stowage.arrayapi;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A part of an answer, read as the arrays write it: numbers are numbers or text, and what is not there is empty. */
record Answer(JsonNode node) {

    private static final double GIBIBYTE = 1L << 30;
    private static final long MEBIBYTE = 1L << 20;

    String text(String field) {
        return node.path(field).asText("");
    }

    Optional<String> some(String... fields) {
        for (String field : fields) {
            String value = text(field);
            if (!value.isBlank() && !node.path(field).isNull()) {
                return Optional.of(value);
            }
        }
        return Optional.empty();
    }

    boolean yes(String field) {
        String value = text(field);
        return value.equalsIgnoreCase("yes") || value.equalsIgnoreCase("true");
    }

    int number(String field, int otherwise) {
        return node.path(field).asInt(otherwise);
    }

    /** Capacities are in gibibytes, with a fraction. */
    long bytesOfGibibytes(String field) {
        return Math.round(node.path(field).asDouble(0) * GIBIBYTE);
    }

    long bytesOfMebibytes(String field) {
        return node.path(field).asLong(0) * MEBIBYTE;
    }

    Answer part(String field) {
        return new Answer(node.path(field));
    }

    List<Answer> list(String field) {
        var list = new ArrayList<Answer>();
        node.path(field).forEach(each -> list.add(new Answer(each)));
        return list;
    }

    List<String> texts(String field) {
        var list = new ArrayList<String>();
        node.path(field).forEach(each -> list.add(each.asText()));
        return list;
    }
}
