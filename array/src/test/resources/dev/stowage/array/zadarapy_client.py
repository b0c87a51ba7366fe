"""Uses an array through zadarapy, from the login to the last deletion: HOST PORT PASSWORD IQN."""

import sys

from zadarapy.session import Session
from zadarapy.vpsa import controllers, pools, servers, volumes, vpsa_users

host, port, password, iqn = sys.argv[1:]


def session_with(key):
    return Session(host=host, port=int(port), key=key, secure=False, log_function=lambda command: None)


def answer(done, *path):
    """What is in the envelope, or in one of its fields."""
    found = done["response"]
    for name in path:
        found = found[name]
    return found


def names(objects):
    return [each["name"] for each in objects]


def expect(actual, expected):
    if actual != expected:
        raise AssertionError(f"expected {expected!r}, found {actual!r}")


def expect_refusal(part, call, *arguments, **named):
    try:
        call(*arguments, **named)
    except RuntimeError as refused:
        if part not in str(refused):
            raise AssertionError(f"expected a refusal with {part!r}, found {refused}") from refused
        return
    raise AssertionError(f"{call.__name__} was not refused")


def log_in():
    expect_refusal("wrong", vpsa_users.get_vpsa_user_api_key, session_with("none"), "admin", "not-the-password")
    key = answer(vpsa_users.get_vpsa_user_api_key(session_with("none"), "admin", password), "user", "access-key")
    expect_refusal("access key", pools.get_all_pools, session_with("not-the-key"))
    return session_with(key)


def look_at_the_pool(session):
    all_pools = answer(pools.get_all_pools(session), "pools")
    expect(len(all_pools), 1)
    pool = all_pools[0]["name"]
    expect(answer(pools.get_pool(session, pool), "pool", "mode"), "normal")
    pools.update_protection(session, pool, alertmode=360, protectedmode=60, emergencymode=1)
    pools.update_pool_capacity_alerts(session, pool, capacityhistory=60)
    return pool


def make_volumes(session, pool):
    made = [answer(volumes.create_volume(session, pool, f"volume {i}", 1, "YES"), "vol_name") for i in range(3)]
    volume = answer(volumes.get_volume(session, made[0]), "volume")
    expect((volume["display_name"], volume["virtual_capacity"], volume["status"]), ("volume 0", 1, "Available"))
    expect(names(answer(volumes.get_all_volumes(session), "volumes")), made)
    expect(names(answer(volumes.get_all_volumes(session, start=1, limit=1), "volumes")), made[1:2])
    expect(names(answer(pools.get_volumes_in_pool(session, pool), "volumes")), made)
    expect_refusal("taken", volumes.create_volume, session, pool, "volume 0", 1, "YES")
    expect_refusal("not found", volumes.get_volume, session, "volume-0000ffff")
    volumes.rename_volume(session, made[0], "renamed")
    volumes.update_volume_comment(session, made[0], "a comment")
    volume = answer(volumes.get_volume(session, made[0]), "volume")
    expect((volume["display_name"], volume["comment"]), ("renamed", "a comment"))
    return made, volume["cg_name"]


def make_server(session):
    server = answer(servers.create_server(session, "a server", iqn=iqn), "server_name")
    servers.update_server(session, server, ip_address="192.0.2.7")
    servers.rename_server(session, server, "the server")
    record = answer(servers.get_server(session, server), "server")
    expect((record["display_name"], record["iqn"], record["iscsi"]), ("the server", iqn, "192.0.2.7"))
    expect(names(answer(servers.get_all_servers(session), "servers")), [server])
    expect_refusal("not found", servers.get_server, session, "srv-0000ffff")
    return server


def attach(session, server, volume):
    servers.attach_servers_to_volume(session, server, volume)
    servers.attach_servers_to_volume(session, server, volume)
    attached = answer(volumes.get_servers_attached_to_volume(session, volume), "servers")
    expect(names(attached), [server])
    expect(names(answer(servers.get_volumes_attached_to_server(session, server), "volumes")), [volume])
    expect(answer(volumes.get_volume(session, volume), "volume", "status"), "In-use")
    active = [each for each in answer(controllers.get_all_controllers(session), "vcontrollers")
              if each["state"] == "active"]
    expect(len(active), 1)
    for field in ("iscsi_ip", "vpsa_chap_user", "vpsa_chap_secret", "software-ver"):
        expect(bool(active[0][field]), True)


def snapshot_and_clone(session, group):
    snapshot = answer(volumes.create_volume_snapshot(session, group, "a snapshot"), "snapshot_name")
    expect(names(answer(volumes.get_all_snapshots(session, group), "snapshots")), [snapshot])
    expect(answer(volumes.get_snapshot(session, snapshot), "snapshot", "cg_name"), group)
    of_snapshot = answer(volumes.create_clone(session, group, "clone of snapshot", snapshot), "vol_name")
    of_volume = answer(volumes.create_clone(session, group, "clone of volume"), "vol_name")
    return snapshot, [of_snapshot, of_volume]


def take_down(session, pool, server, group, snapshot, made):
    volume = made[0]
    expect_refusal("attached", servers.delete_server, session, server)
    volumes.detach_servers_from_volume(session, volume, server, force="YES")
    expect(answer(volumes.get_servers_attached_to_volume(session, volume), "servers"), [])
    expect_refusal("snapshots", volumes.delete_volume, session, volume)
    volumes.delete_volume_snapshot(session, snapshot)
    expect(answer(volumes.get_all_snapshots(session, group), "snapshots"), [])
    for each in made:
        volumes.delete_volume(session, each)
    expect(names(answer(pools.get_volumes_in_pool_recycle_bin(session, pool), "volumes")), made)
    for each in made:
        volumes.delete_volume_from_recycle_bin(session, each)
    expect(answer(pools.get_volumes_in_pool_recycle_bin(session, pool), "volumes"), [])
    servers.delete_server(session, server)
    expect(answer(servers.get_all_servers(session), "servers"), [])


def replace_the_key(session):
    key = answer(vpsa_users.reset_vpsa_user_api_key(session, "admin", password), "user", "access-key")
    expect_refusal("access key", pools.get_all_pools, session)
    pools.get_all_pools(session_with(key))


def main():
    session = log_in()
    pool = look_at_the_pool(session)
    made, group = make_volumes(session, pool)
    server = make_server(session)
    attach(session, server, made[0])
    snapshot, clones = snapshot_and_clone(session, group)
    volumes.expand_volume(session, made[0], 2)
    expect(answer(volumes.get_volume(session, made[0]), "volume", "virtual_capacity"), 3)
    take_down(session, pool, server, group, snapshot, made + clones)
    replace_the_key(session)
    print("everything was as it should be")


main()
