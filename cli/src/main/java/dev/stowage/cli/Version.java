package dev.stowage.cli;

import picocli.CommandLine.IVersionProvider;

/** The version that the build wrote into the jar. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {"stowage " + number()};
    }

    private static String number() {
        String built = Version.class.getPackage().getImplementationVersion();
        return built == null ? "not built into a jar" : built;
    }
}
