package dev.stowage.array.iscsi;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads what tgtd tells about itself. */
final class TgtView {

    private static final Pattern TARGET = Pattern.compile("Target (\\d+): (.+)");
    private static final Pattern UNIT = Pattern.compile(" {8}LUN: (\\d+)");
    private static final Pattern DETAIL = Pattern.compile(" {12}([^:]+): ?(.*)");
    private static final Pattern MEMBER = Pattern.compile(" {8}(\\S.*)");
    private static final Pattern SESSION = Pattern.compile("Session: (\\d+)");
    private static final Pattern CONNECTION = Pattern.compile(" {4}Connection: (\\d+)");

    private static final Pattern PORTAL = Pattern.compile("Portal: (\\S+):(\\d+),\\d+");

    private TgtView() {}

    /** A target as it is served. */
    record Served(int number, String name, List<ServedUnit> units, List<String> accounts, List<String> admitted) {}

    /** A unit as it is served. */
    record ServedUnit(int lun, String path, String identity, boolean readOnly) {
        boolean serves(Unit unit) {
            return lun == unit.lun()
                    && path.equals(unit.path().toString())
                    && identity.equals(unit.identity())
                    && readOnly == unit.readOnly();
        }
    }

    /** A connection of a session. */
    record Connection(long session, int number) {}

    static List<Served> targets(String text) {
        var reader = new TargetReader();
        text.lines().forEach(reader::line);
        return reader.targets;
    }

    static List<Portal> portals(String text) {
        return text.lines()
                .map(PORTAL::matcher)
                .filter(Matcher::matches)
                .map(match -> new Portal(match.group(1), Integer.parseInt(match.group(2))))
                .toList();
    }

    static List<Connection> connections(String text) {
        var found = new ArrayList<Connection>();
        long session = 0;
        for (String line : text.lines().toList()) {
            Matcher match;
            if ((match = SESSION.matcher(line)).matches()) {
                session = Long.parseLong(match.group(1));
            } else if ((match = CONNECTION.matcher(line)).matches()) {
                found.add(new Connection(session, Integer.parseInt(match.group(1))));
            }
        }
        return found;
    }

    private static final class TargetReader {
        private final List<Served> targets = new ArrayList<>();
        private String section = "";
        private @Nullable ServedUnit unit;

        void line(String line) {
            Matcher match;
            if ((match = TARGET.matcher(line)).matches()) {
                targets.add(new Served(
                        Integer.parseInt(match.group(1)),
                        match.group(2),
                        new ArrayList<>(),
                        new ArrayList<>(),
                        new ArrayList<>()));
                section = "";
            } else if (line.startsWith("    ") && !line.startsWith("     ")) {
                section = line.strip();
            } else if ((match = UNIT.matcher(line)).matches()) {
                replace(new ServedUnit(Integer.parseInt(match.group(1)), "", "", false), true);
            } else if (section.equals("LUN information:") && (match = DETAIL.matcher(line)).matches()) {
                detail(match.group(1), match.group(2).strip());
            } else if ((match = MEMBER.matcher(line)).matches()) {
                member(match.group(1).strip());
            }
        }

        private void detail(String name, String value) {
            var now = unit;
            if (now == null) {
                return;
            }
            switch (name) {
                case "SCSI ID" -> replace(new ServedUnit(now.lun(), now.path(), value, now.readOnly()), false);
                case "Readonly" ->
                    replace(new ServedUnit(now.lun(), now.path(), now.identity(), value.equals("Yes")), false);
                case "Backing store path" ->
                    replace(new ServedUnit(now.lun(), value, now.identity(), now.readOnly()), false);
                default -> {
                    // Of no use here.
                }
            }
        }

        private void replace(ServedUnit changed, boolean another) {
            var units = targets.getLast().units();
            if (!another) {
                units.removeLast();
            }
            units.add(changed);
            unit = changed;
        }

        private void member(String value) {
            if (section.equals("Account information:")) {
                targets.getLast().accounts().add(value);
            } else if (section.equals("ACL information:")) {
                targets.getLast().admitted().add(value);
            }
        }
    }
}
