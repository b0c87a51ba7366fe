package dev.stowage.cli;

import picocli.CommandLine.IVersionProvider;

/** The version that the build wrote into the jar. */
public final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {"stowage " + number()};
    }

    /** The bare number. */
    public static String number() {
        String built = Version.class.getPackage().getImplementationVersion();
        return built == null ? "0-unpackaged" : built;
    }
}
