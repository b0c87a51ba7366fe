package dev.stowage.array.rest;

import dev.stowage.array.StorageArray;
import dev.stowage.array.journal.Ids;
import dev.stowage.array.service.Keys;
import dev.stowage.array.service.PoolSpace;
import dev.stowage.array.service.Refusal;
import dev.stowage.array.service.Servers;
import dev.stowage.array.service.Volumes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The calls of the API: what each reads from a request and says in answer. */
final class Api {

    private static final List<String> VOLUME_OPTIONS = List.of(
            "thin",
            "crypt",
            "dedupe",
            "compress",
            "attachpolicies",
            "export_name",
            "readaheadkb",
            "nfsrootsquash",
            "nfsanonuid",
            "nfsanongid",
            "atimeupdate",
            "autoexpand",
            "maxexpand",
            "autoexpandby");

    private final StorageArray array;
    private final Views views;

    Api(StorageArray array) {
        this.array = array;
        this.views = new Views(array);
    }

    Routes routes() {
        var routes = new Routes();
        pools(routes);
        volumes(routes);
        servers(routes);
        snapshots(routes);
        users(routes);
        return routes.add(
                        "GET",
                        "/vcontrollers",
                        call -> call.page("vcontrollers", Stream.of(views.controller()), view -> view))
                .add(
                        "GET",
                        "/vpsaversion",
                        call -> Map.of("vpsa_version", array.settings().softwareVersion()))
                .add("GET", "/config", call -> Map.of("name", array.settings().name()));
    }

    private void users(Routes routes) {
        routes.open("POST", "/users/login", call -> {
                    var key = array.keys()
                            .login(
                                    call.parameters().required("user"),
                                    call.parameters().required("password"));
                    return Map.of("user", Map.of("username", Keys.USER, "access-key", key, "access_key", key));
                })
                .add("POST", "/users/*/access_key", call -> {
                    var key = array.keys().replace(call.id());
                    return Map.of("user", Map.of("username", Keys.USER, "access-key", key, "access_key", key));
                });
    }

    private void pools(Routes routes) {
        routes.add("GET", "/pools", call -> call.page("pools", Stream.of(views.pool()), view -> view))
                .add("GET", "/pools/*", call -> {
                    PoolSpace.requirePool(call.id());
                    return Map.of("pool", views.pool());
                })
                .add("POST", "/pools/*/update_protection", call -> {
                    PoolSpace.requirePool(call.id());
                    var parameters = call.parameters();
                    array.space()
                            .protect(new PoolSpace.Thresholds(
                                    parameters.number("alertmode"),
                                    parameters.number("protectedmode"),
                                    parameters.gibibytes("emergencymode"),
                                    parameters.number("capacityhistory")));
                    return Map.of();
                })
                .add("GET", "/pools/*/volumes", call -> {
                    PoolSpace.requirePool(call.id());
                    return call.page("volumes", array.volumes().all(), views::volume);
                })
                .add("GET", "/pools/*/volumes_in_recycle_bin", call -> {
                    PoolSpace.requirePool(call.id());
                    return call.page("volumes", array.volumes().recycled(), views::volume);
                });
    }

    private void volumes(Routes routes) {
        var volumes = array.volumes();
        routes.add("GET", "/volumes", this::listVolumes)
                .add("POST", "/volumes", this::createVolume)
                .add("GET", "/volumes/*", call -> Map.of("volume", views.volume(volumes.find(call.id()))))
                .add("DELETE", "/volumes/*", call -> {
                    volumes.delete(call.id(), call.parameters().yes("force"));
                    return Map.of();
                })
                .add("DELETE", "/volumes/*/delete_volume_from_recycle_bin", call -> {
                    volumes.purge(call.id());
                    return Map.of();
                })
                .add("POST", "/volumes/*/rename", call -> {
                    volumes.rename(call.id(), call.parameters().required("new_name", "newname"));
                    return Map.of("vol_name", call.id());
                })
                .add("POST", "/volumes/*/update_comment", call -> {
                    volumes.comment(
                            call.id(),
                            call.parameters().text("new_comment", "newcomment").orElse(""));
                    return Map.of("vol_name", call.id());
                })
                .add("POST", "/volumes/*/expand", call -> {
                    volumes.expand(call.id(), call.parameters().required("capacity"));
                    return Map.of("vol_name", call.id());
                })
                .add("PUT", "/volumes/*/export_name", call -> {
                    volumes.exportName(call.id(), call.parameters().required("exportname", "export_name"));
                    return Map.of("vol_name", call.id());
                })
                .add(
                        "GET",
                        "/volumes/*/servers",
                        call -> call.page("servers", array.servers().of(call.id()), views::attached))
                .add("POST", "/volumes/*/detach", this::detach)
                .add("POST", "/volumes/*/attach_permissions", call -> {
                    array.attachments()
                            .permit(
                                    call.id(),
                                    call.parameters().required("server_name"),
                                    call.parameters().yes("read_only"));
                    return Map.of();
                });
    }

    private Map<String, Object> listVolumes(Call call) {
        var name = call.parameters().text("display_name");
        boolean onlyFiles = call.parameters().yes("showonlyfile");
        boolean onlyBlocks = call.parameters().yes("showonlyblock");
        return call.page(
                "volumes",
                array.volumes()
                        .all()
                        .filter(volume -> volume.getShared() ? !onlyBlocks : !onlyFiles)
                        .filter(volume -> name.isEmpty() || name.get().equals(volume.getDisplayName())),
                views::volume);
    }

    private Map<String, Object> createVolume(Call call) {
        var parameters = call.parameters();
        parameters.required("block");
        var made = array.volumes()
                .create(new Volumes.Wish(
                        parameters.required("name", "display_name"),
                        parameters.required("capacity"),
                        parameters.text("pool").orElse(Ids.THE_POOL),
                        !parameters.yes("block"),
                        parameters.some(VOLUME_OPTIONS)));
        return Map.of("vol_name", made.getId());
    }

    private Map<String, Object> detach(Call call) {
        var servers = call.parameters().list("servers", "server_name");
        if (servers.isEmpty()) {
            throw Refusal.invalid("servers is missing: from which is %s to be detached?", call.id());
        }
        array.attachments().detach(call.id(), servers, call.parameters().yes("force"));
        return Map.of();
    }

    private void servers(Routes routes) {
        var servers = array.servers();
        routes.add("GET", "/servers", call -> call.page("servers", servers.all(), views::server))
                .add(
                        "POST",
                        "/servers",
                        call -> Map.of(
                                "server_name", servers.create(serverWish(call)).getId()))
                .add("GET", "/servers/*", call -> Map.of("server", views.server(servers.find(call.id()))))
                .add("POST", "/servers/*/config", call -> {
                    servers.change(call.id(), serverWish(call));
                    return Map.of("server_name", call.id());
                })
                .add("POST", "/servers/*/rename", call -> {
                    var name = call.parameters().required("display_name", "new_name", "newname");
                    servers.rename(call.id(), name);
                    return Map.of("server_name", call.id());
                })
                .add("DELETE", "/servers/*", call -> {
                    servers.delete(call.id(), call.parameters().yes("force"));
                    return Map.of();
                })
                .add("GET", "/servers/*/volumes", call -> {
                    servers.find(call.id());
                    return call.page("volumes", array.attachments().of(call.id()).stream(), views::volume);
                })
                .add("POST", "/servers/*/volumes", call -> {
                    var volumes = call.parameters().list("volume_name");
                    if (volumes.isEmpty()) {
                        throw Refusal.invalid("volume_name is missing");
                    }
                    array.attachments()
                            .attach(
                                    List.of(call.id().split(",")),
                                    volumes,
                                    call.parameters().yes("readonly"));
                    return Map.of();
                });
    }

    private static Servers.Wish serverWish(Call call) {
        var parameters = call.parameters();
        Optional<String> user = parameters.text("hostchapuser", "host_chap_user");
        return new Servers.Wish(
                parameters.text("display_name"),
                parameters.text("iqn"),
                parameters.text("iscsi"),
                parameters.text("os"),
                user,
                parameters.text("hostchapsecret", "host_chap_secret"),
                parameters.yes("force"));
    }

    private void snapshots(Routes routes) {
        var snapshots = array.snapshots();
        routes.add(
                        "POST",
                        "/consistency_groups/*/snapshots",
                        call -> Map.of(
                                "snapshot_name",
                                snapshots
                                        .create(call.id(), call.parameters().required("display_name"))
                                        .getId()))
                .add(
                        "GET",
                        "/consistency_groups/*/snapshots",
                        call -> call.page("snapshots", snapshots.of(call.id()), views::snapshot))
                .add("POST", "/consistency_groups/*/clone", call -> {
                    var clone = snapshots.clone(
                            call.id(),
                            call.parameters().required("name"),
                            call.parameters().text("snapshot", "snapshot_id"));
                    return Map.of("vol_name", clone.getId(), "clone_name", clone.getId(), "cg_name", clone.getGroup());
                })
                .add("GET", "/snapshots", call -> call.page("snapshots", snapshots.all(), views::snapshot))
                .add("GET", "/snapshots/*", call -> Map.of("snapshot", views.snapshot(snapshots.find(call.id()))))
                .add("DELETE", "/snapshots/*", call -> {
                    snapshots.delete(call.id());
                    return Map.of();
                });
    }
}
