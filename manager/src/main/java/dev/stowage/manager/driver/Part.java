package dev.stowage.manager.driver;

/** What a driver is made of. */
public enum Part {
    ACCESS,
    DRIVER,
    STORAGE_CLASS,
    NODE,
    CONTROLLER
}
