package dev.stowage.conformance.harness;

import java.io.IOException;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Keeps the start of programs and the use of mounted files apart.
 *
 * <p>A program that is being started has, for a moment, everything open that the process which starts it has open. Where tests run at
 * the same time, a mount could so be found busy by a driver although nobody uses it any more.
 */
public final class Spawning {

    private static final ReadWriteLock starting = new ReentrantReadWriteLock();

    private Spawning() {}

    /** Starts a program while no file of a volume is open here. */
    public static Process start(ProcessBuilder builder) throws IOException {
        starting.writeLock().lock();
        try {
            return builder.start();
        } finally {
            starting.writeLock().unlock();
        }
    }

    /** What is done with files of a volume. */
    public interface Use<T> {
        T apply() throws IOException;
    }

    /** Uses files of a volume while no program is being started. They must be closed at the end of it. */
    public static <T> T apart(Use<T> use) throws IOException {
        starting.readLock().lock();
        try {
            return use.apply();
        } finally {
            starting.readLock().unlock();
        }
    }
}
