package dev.stowage.driver;

/** Why a driver ends. */
public sealed interface Ending {

    /** Somebody asked for it, such as by SIGTERM. */
    record Asked() implements Ending {}

    /** The kubelet did not take the driver; started again it may. */
    record RegistrationRefused(String reason) implements Ending {}
}
