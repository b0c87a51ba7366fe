package dev.stowage.array;

import dev.stowage.array.iscsi.Portal;
import dev.stowage.array.iscsi.TargetKind;
import dev.stowage.array.misbehave.Misbehaviour;
import dev.stowage.core.error.StowageException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * How an array is to be.
 *
 * @param name part of its targets' names
 * @param data where everything is kept
 * @param token what callers of the API have to present
 * @param portals where initiators connect; the first is the one that the API tells
 * @param files where files are served, once there are some
 * @param capacity what its volumes and snapshots may take, all of the filesystem by default
 * @param recycles whether deleted volumes go to the recycle bin
 * @param softwareVersion what it says of itself, because clients ask for some version at least
 * @param misbehaviour how it is to go wrong, for tests of its clients
 * @param backing what is behind its volumes, and serves them
 */
public record ArraySettings(
        String name,
        Path data,
        String token,
        List<Portal> portals,
        Portal files,
        OptionalLong capacity,
        boolean recycles,
        String softwareVersion,
        Optional<Misbehaviour> misbehaviour,
        Backing backing) {

    /**
     * What the array is in front of.
     *
     * @param dataset the ZFS dataset that holds the volumes, instead of files of the data directory
     * @param target what serves the units
     */
    public record Backing(Optional<String> dataset, TargetKind target) {

        public static final Backing USUAL = new Backing(Optional.empty(), TargetKind.tgt);
    }

    private static final int NFS_PORT = 2049;
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?");

    /** With files served where the first portal is, at the port that clients expect. */
    public ArraySettings(
            String name,
            Path data,
            String token,
            List<Portal> portals,
            OptionalLong capacity,
            boolean recycles,
            String softwareVersion,
            Optional<Misbehaviour> misbehaviour) {
        this(name, data, token, portals, files(portals), capacity, recycles, softwareVersion, misbehaviour);
    }

    /** With its volumes in files of the data directory, and served by tgt. */
    public ArraySettings(
            String name,
            Path data,
            String token,
            List<Portal> portals,
            Portal files,
            OptionalLong capacity,
            boolean recycles,
            String softwareVersion,
            Optional<Misbehaviour> misbehaviour) {
        this(name, data, token, portals, files, capacity, recycles, softwareVersion, misbehaviour, Backing.USUAL);
    }

    /** The same, with something else behind it. */
    public ArraySettings on(Backing other) {
        return new ArraySettings(
                name, data, token, portals, files, capacity, recycles, softwareVersion, misbehaviour, other);
    }

    /** Where files are served unless it is said. */
    public static Portal files(List<Portal> portals) {
        return new Portal(portals.isEmpty() ? "" : portals.getFirst().host(), NFS_PORT);
    }

    public ArraySettings {
        portals = List.copyOf(portals);
        if (!NAME.matcher(name).matches()) {
            throw StowageException.invalid(
                    "name '%s': expected up to 63 lower-case letters, digits, dots and dashes", name);
        }
        if (portals.isEmpty()) {
            throw StowageException.invalid("portal: at least one is needed");
        }
        if (token.isBlank()) {
            throw StowageException.invalid("token: it is empty, and everybody could use the API");
        }
        if (data.toString().indexOf(',') >= 0 || data.toString().indexOf('"') >= 0) {
            throw StowageException.invalid(
                    "data directory %s: a comma or a quotation mark in its path is not understood by the servers of volumes",
                    data);
        }
    }

    @Override
    public String toString() {
        return "array " + name;
    }
}
