package dev.stowage.array.rest;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Which handler answers which address. */
final class Routes {

    private record Route(String method, Pattern path, boolean open, Call.Handler handler) {}

    /**
     * A handler and what the address says to it.
     *
     * @param open whether no access key is needed
     */
    record Match(Call.Handler handler, boolean open, List<String> ids) {}

    private final List<Route> routes = new ArrayList<>();

    /** @param path below {@code /api}, where an asterisk stands for an id */
    Routes add(String method, String path, Call.Handler handler) {
        return add(method, path, false, handler);
    }

    /** Like {@link #add}, for whoever has no access key yet. */
    Routes open(String method, String path, Call.Handler handler) {
        return add(method, path, true, handler);
    }

    private Routes add(String method, String path, boolean open, Call.Handler handler) {
        var pattern = Pattern.compile("/api" + path.replace("*", "([^/]+)") + "(?:\\.json)?");
        routes.add(new Route(method, pattern, open, handler));
        return this;
    }

    Optional<Match> find(String method, String path) {
        for (Route route : routes) {
            var match = route.path().matcher(path);
            if (route.method().equals(method) && match.matches()) {
                var ids = new ArrayList<String>();
                for (int i = 1; i <= match.groupCount(); i++) {
                    var id = match.group(i);
                    ids.add(id.endsWith(".json") ? id.substring(0, id.length() - ".json".length()) : id);
                }
                return Optional.of(new Match(route.handler(), route.open(), ids));
            }
        }
        return Optional.empty();
    }
}
