package dev.stowage.workbench.e2e;

import dev.stowage.workbench.WorkbenchException;
import dev.stowage.workbench.e2e.Spec.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which specs are expected to pass, and which to be skipped and why. Kept in two text files of the project.
 *
 * @param skipped by what the suite says when it skips them
 */
record Expectations(SortedSet<String> passed, SortedMap<String, Skip> skipped) {
    private static final String PASSED = "passed.txt";
    private static final String SKIPPED = "skipped.txt";
    private static final String SAYS = "== ";
    private static final String BECAUSE = "-- ";
    private static final String UNEXPLAINED = "?";

    /** Specs that the suite skips with the same words, and why that is right, in ours. */
    record Skip(String because, SortedSet<String> specs) {
        boolean explained() {
            return !because.isBlank() && !because.equals(UNEXPLAINED);
        }
    }

    static Expectations read(Path directory) {
        var passed = new TreeSet<>(lines(directory.resolve(PASSED)));
        var skipped = new TreeMap<String, Skip>();
        var says = "";
        for (var line : lines(directory.resolve(SKIPPED))) {
            if (line.startsWith(SAYS)) {
                says = line.substring(SAYS.length());
                skipped.put(says, new Skip("", new TreeSet<>()));
            } else if (!skipped.containsKey(says)) {
                throw new WorkbenchException("%s: a line that begins with \"%s\" has to come before \"%s\""
                        .formatted(directory.resolve(SKIPPED), SAYS, line));
            } else if (line.startsWith(BECAUSE)) {
                skipped.put(
                        says,
                        new Skip(
                                line.substring(BECAUSE.length()),
                                skipped.get(says).specs()));
            } else {
                skipped.get(says).specs().add(line);
            }
        }
        return new Expectations(passed, skipped);
    }

    private static List<String> lines(Path file) {
        if (!Files.exists(file)) {
            return List.of();
        }
        try {
            return Files.readAllLines(file).stream()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(String::strip)
                    .toList();
        } catch (IOException failure) {
            throw new WorkbenchException("cannot read %s: %s".formatted(file, failure.getMessage()), failure);
        }
    }

    /** These expectations, changed to what was seen. Explanations stay; what was not run stays as it was. */
    Expectations changedTo(List<Spec> specs) {
        var nowPassed = new TreeSet<>(passed);
        var nowSkipped = new TreeMap<String, Skip>();
        skipped.forEach((says, skip) -> nowSkipped.put(says, new Skip(skip.because(), new TreeSet<>(skip.specs()))));
        for (var spec : specs) {
            nowPassed.remove(spec.name());
            nowSkipped.values().forEach(skip -> skip.specs().remove(spec.name()));
            switch (spec.outcome()) {
                // A failure is nothing to get used to: it is expected to pass.
                case PASSED, FAILED -> nowPassed.add(spec.name());
                case SKIPPED ->
                    nowSkipped
                            .computeIfAbsent(spec.message(), says -> new Skip(UNEXPLAINED, new TreeSet<>()))
                            .specs()
                            .add(spec.name());
            }
        }
        nowSkipped.values().removeIf(skip -> skip.specs().isEmpty());
        return new Expectations(nowPassed, nowSkipped);
    }

    void write(Path directory) {
        var skips = new StringBuilder("""
                # Specs that the official suite skips. After "==" what the suite says, after "--" why that is right.
                """);
        skipped.forEach((says, skip) -> {
            skips.append("\n").append(SAYS).append(says).append("\n");
            skips.append(BECAUSE).append(skip.because()).append("\n");
            skip.specs().forEach(spec -> skips.append(spec).append("\n"));
        });
        try {
            Files.writeString(
                    directory.resolve(PASSED),
                    "# Specs of the official suite that have to pass.\n\n" + String.join("\n", passed) + "\n");
            Files.writeString(directory.resolve(SKIPPED), skips);
        } catch (IOException failure) {
            throw new WorkbenchException(
                    "cannot write the lists in %s: %s".formatted(directory, failure.getMessage()), failure);
        }
    }

    /** What is wrong with how a spec ended, or nothing. */
    String objection(Spec spec) {
        return switch (spec.outcome()) {
            case PASSED -> passed.contains(spec.name()) ? "" : "it passes, and the list does not expect that";
            case FAILED -> spec.message();
            case SKIPPED -> objectionToSkip(spec);
        };
    }

    private String objectionToSkip(Spec spec) {
        var skip = skipped.get(spec.message());
        if (skip == null || !skip.specs().contains(spec.name())) {
            return "it is skipped, and the list does not expect that: " + spec.message();
        }
        return skip.explained() ? "" : "it is skipped, and the list does not say why that is right: " + spec.message();
    }

    /** Expected specs that are not among these. */
    SortedSet<String> missingFrom(Set<String> names) {
        var missing = new TreeSet<>(passed);
        skipped.values().forEach(skip -> missing.addAll(skip.specs()));
        missing.removeAll(names);
        return missing;
    }

    /** How many were skipped for which reason. */
    Map<String, Long> reasons(List<Spec> specs) {
        var reasons = new TreeMap<String, Long>();
        for (var spec : specs) {
            if (spec.outcome() == Outcome.SKIPPED) {
                var skip = skipped.get(spec.message());
                reasons.merge(skip != null && skip.explained() ? skip.because() : spec.message(), 1L, Long::sum);
            }
        }
        return reasons;
    }
}
