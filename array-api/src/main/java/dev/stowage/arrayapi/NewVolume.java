package dev.stowage.arrayapi;

import java.util.Map;

/**
 * A volume that is wanted.
 *
 * @param options further fields of the request, as the array calls them
 */
public record NewVolume(String displayName, long gibibytes, String pool, boolean block, Map<String, String> options) {

    public NewVolume {
        options = Map.copyOf(options);
    }
}
