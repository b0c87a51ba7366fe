package dev.stowage.arrayapi;

import java.util.List;
import java.util.Locale;

/**
 * A volume of an array.
 *
 * @param group its consistency group, which snapshots and clones are made through
 * @param servers the server records that it is attached to
 */
public record ArrayVolume(
        String id,
        String displayName,
        String comment,
        String group,
        String pool,
        String status,
        long sizeBytes,
        boolean block,
        String exportPath,
        List<String> servers) {

    private static final List<String> AT_REST = List.of("available", "in-use");

    static ArrayVolume of(Answer answer) {
        return new ArrayVolume(
                answer.text("name"),
                answer.text("display_name"),
                answer.text("comment"),
                answer.text("cg_name"),
                answer.text("pool_name"),
                answer.text("status"),
                answer.bytesOfGibibytes("virtual_capacity"),
                answer.text("data_type").equalsIgnoreCase("BLOCK"),
                answer.text("nfs_export_path"),
                answer.some("server_ext_names", "server_name").stream()
                        .flatMap(names -> List.of(names.split(",")).stream())
                        .map(String::strip)
                        .filter(name -> !name.isEmpty())
                        .toList());
    }

    /** Whether nothing is being done to it, so that it can be used. */
    public boolean usable() {
        return AT_REST.contains(status.toLowerCase(Locale.ROOT));
    }
}
