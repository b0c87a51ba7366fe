package dev.stowage.sidecar.flag;

import dev.stowage.core.error.StowageException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The flags a sidecar takes, and how they are read: one dash or two, {@code -flag=value} or {@code -flag value}, a switch also without
 * a value.
 */
public final class FlagSet {

    private static final Set<String> HELP = Set.of("h", "help");

    private final Map<String, Flag> known = new LinkedHashMap<>();

    private FlagSet(List<Flag> flags) {
        flags.forEach(flag -> known.put(flag.name(), flag));
    }

    public static FlagSet of(List<Flag> flags) {
        return new FlagSet(flags);
    }

    /** Whether somebody only wants to know what there is. */
    public static boolean asksForHelp(List<String> arguments) {
        return arguments.stream()
                .anyMatch(argument -> argument.startsWith("-") && HELP.contains(name(argument.split("=", 2)[0])));
    }

    /**
     * Reads a command line.
     *
     * @throws StowageException.InvalidRequest for a flag that is not known, a value that does not fit, or what is no flag at all
     */
    public Flags parse(List<String> arguments) {
        var given = new HashMap<String, String>();
        var rest = arguments.iterator();
        while (rest.hasNext()) {
            String argument = rest.next();
            if (!argument.startsWith("-") || argument.equals("-") || argument.equals("--")) {
                throw StowageException.invalid(
                        "\"%s\" is not a flag; the value of a switch needs an equals sign, such as -leader-election=true",
                        argument);
            }
            int equals = argument.indexOf('=');
            var flag = find(name(equals < 0 ? argument : argument.substring(0, equals)), argument);
            if (equals >= 0) {
                given.put(flag.name(), argument.substring(equals + 1));
            } else if (flag.kind() == Flag.Kind.SWITCH) {
                given.put(flag.name(), "true");
            } else if (rest.hasNext()) {
                given.put(flag.name(), rest.next());
            } else {
                throw StowageException.invalid("flag -%s needs a value", flag.name());
            }
        }
        return Flags.checked(known, given);
    }

    private Flag find(String name, String argument) {
        var flag = known.get(name);
        if (flag == null) {
            throw StowageException.invalid("flag %s is not known; -help lists those that are", argument);
        }
        return flag;
    }

    private static String name(String argument) {
        return argument.startsWith("--") ? argument.substring(2) : argument.substring(1);
    }

    /** One line for each flag. */
    public String help() {
        var text = new StringBuilder();
        known.values().forEach(flag -> {
            text.append("  -")
                    .append(flag.name())
                    .append(' ')
                    .append(flag.kind().operand());
            text.append("\n        ").append(flag.meaning());
            if (!flag.fallback().isEmpty()) {
                text.append(" (default ").append(flag.fallback()).append(')');
            }
            text.append('\n');
        });
        return text.toString();
    }
}
