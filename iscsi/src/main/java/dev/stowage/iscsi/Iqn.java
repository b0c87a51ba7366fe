package dev.stowage.iscsi;

import dev.stowage.core.error.StowageException;
import java.util.regex.Pattern;

/** The name of an initiator or a target. It comes from outside and becomes part of commands, so it holds nothing but a name. */
public record Iqn(String value) {

    private static final int LONGEST = 223;
    private static final Pattern FORM = Pattern.compile(
            "(iqn\\.[0-9]{4}-[0-9]{2}\\.[A-Za-z0-9]|eui\\.[0-9A-Fa-f]|naa\\.[0-9A-Fa-f])[A-Za-z0-9.:_-]*");

    public Iqn {
        if (value.length() > LONGEST || !FORM.matcher(value).matches()) {
            throw StowageException.invalid(
                    "'%s' is not the name of an iSCSI node: it must look like iqn.2026-01.org.example:name, in at most %d letters, "
                            + "digits and . : _ -",
                    value.length() > LONGEST ? value.substring(0, LONGEST) : value, LONGEST);
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
