package dev.stowage.cli.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Rows of cells, for a terminal or as Markdown. So many of the first columns are texts and set left; the others are numbers and set right. */
public final class TextTable {

    private final int texts;
    private final List<List<String>> rows = new ArrayList<>();

    public TextTable(int texts, String... header) {
        this.texts = texts;
        rows.add(List.of(header));
    }

    public void row(String... cells) {
        if (cells.length != rows.getFirst().size()) {
            throw new IllegalArgumentException("a row of " + cells.length + " cells in a table of "
                    + rows.getFirst().size() + " columns");
        }
        rows.add(List.of(cells));
    }

    public String plain() {
        int[] widths = widths();
        var lines = new ArrayList<String>();
        for (var row : rows) {
            lines.add(IntStream.range(0, widths.length)
                    .mapToObj(column -> pad(row.get(column), widths[column], column >= texts))
                    .collect(Collectors.joining("  "))
                    .stripTrailing());
        }
        lines.add(1, IntStream.of(widths).mapToObj("─"::repeat).collect(Collectors.joining("  ")));
        return String.join("\n", lines) + "\n";
    }

    public String markdown() {
        var lines = new ArrayList<String>();
        for (var row : rows) {
            lines.add(
                    row.stream().map(cell -> cell.replace("|", "\\|")).collect(Collectors.joining(" | ", "| ", " |")));
        }
        lines.add(1, "|" + "---|".repeat(texts) + "---:|".repeat(rows.getFirst().size() - texts));
        return String.join("\n", lines) + "\n";
    }

    private int[] widths() {
        return IntStream.range(0, rows.getFirst().size())
                .map(column -> rows.stream()
                        .mapToInt(row -> row.get(column).length())
                        .max()
                        .orElse(0))
                .toArray();
    }

    private static String pad(String cell, int width, boolean right) {
        String space = " ".repeat(width - cell.length());
        return right ? space + cell : cell + space;
    }
}
