package dev.stowage.driver.registration;

/** How far the kubelet got with this driver. */
public sealed interface RegistrationState {

    record Waiting() implements RegistrationState {}

    record Registered() implements RegistrationState {}

    record Refused(String reason) implements RegistrationState {}
}
