package dev.stowage.linux.ownership;

import dev.stowage.linux.Errno;
import dev.stowage.linux.SyscallException;
import dev.stowage.linux.effect.Effects;
import dev.stowage.linux.internal.Libc;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Visits everything below a directory, on a few threads when there is much of it. A thread hands directories to others while
 * few are waiting, and otherwise descends itself: so the number of open directories stays small.
 */
final class TreeWalk {
    private static final int THREADS = Math.clamp(2L * Runtime.getRuntime().availableProcessors(), 2, 8);
    private static final int WAITING_LIMIT = 64;
    /** Below this many files, starting threads costs more than it saves. */
    private static final int ALONE = 2000;

    private static final int LISTING_BYTES = 64 * 1024;
    private static final int NAME_BYTES = 256;
    private static final int NAME_IN_ENTRY = 19;
    private static final int DEPTH_LIMIT = 2048;
    private static final int NOBODY_LEFT = -1;

    private final Path root;
    private final long mountId;
    private final int gid;
    private final LinkedBlockingQueue<Integer> waiting = new LinkedBlockingQueue<>();
    private final AtomicInteger unfinished = new AtomicInteger();
    private final AtomicInteger helpers = new AtomicInteger();
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    TreeWalk(Path root, long mountId, int gid) {
        this.root = root;
        this.mountId = mountId;
        this.gid = gid;
    }

    /** Returns when all is done; throws the first failure when the others have stopped. */
    void run(int directory) {
        unfinished.set(1);
        try (var worker = new Worker()) {
            worker.visit(directory, false);
            worker.finishOne();
            worker.serve();
        }
        joinHelpers();
        switch (failure.get()) {
            case null -> {}
            case RuntimeException exception -> throw exception;
            case Error error -> throw error;
            case Throwable other -> throw new IllegalStateException(other);
        }
    }

    private void joinHelpers() {
        var interrupted = false;
        synchronized (threads) {
            for (var thread : threads) {
                while (thread.isAlive()) {
                    try {
                        thread.join();
                    } catch (InterruptedException wanted) {
                        interrupted = true;
                        failure.compareAndSet(null, interruption());
                    }
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private final class Worker implements AutoCloseable {
        private final Rights rights = new Rights(gid);
        private final MemorySegment listing = rights.arena().allocate(LISTING_BYTES, 8);
        private final MemorySegment name = rights.arena().allocate(NAME_BYTES);
        private long visited;

        /** Takes directories that others have left, until all are done. */
        void serve() {
            var interrupted = false;
            while (true) {
                try {
                    int directory = waiting.take();
                    if (directory == NOBODY_LEFT) {
                        break;
                    }
                    visit(directory, true);
                    finishOne();
                } catch (InterruptedException wanted) {
                    // Nothing more is changed, but what is waiting must still be closed.
                    interrupted = true;
                    failure.compareAndSet(null, interruption());
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        void finishOne() {
            if (unfinished.decrementAndGet() == 0) {
                for (int i = 0; i <= helpers.get(); i++) {
                    waiting.add(NOBODY_LEFT);
                }
            }
        }

        /** Visits a directory and all below it that nobody else takes. Not by recursion: users decide how deep a tree is. */
        void visit(int directory, boolean close) {
            var path = new ArrayDeque<Visit>();
            try {
                path.push(new Visit(directory, close));
                while (!path.isEmpty()) {
                    var child = path.peek().nextChild();
                    if (child == NOBODY_LEFT) {
                        path.pop().close();
                    } else if (visited > ALONE && waiting.size() < WAITING_LIMIT) {
                        unfinished.incrementAndGet();
                        waiting.add(child);
                        startHelper();
                    } else {
                        path.push(new Visit(child, true));
                        requireNotTooDeep(path.size());
                    }
                }
            } catch (RuntimeException | Error reason) {
                failure.compareAndSet(null, reason);
            } finally {
                path.forEach(Visit::close);
            }
        }

        /** An open directory whose entries have been changed, and those of its directories that are still to be visited. */
        private final class Visit {
            private final int directory;
            private final boolean close;
            private @Nullable Iterator<byte[]> children;

            Visit(int directory, boolean close) {
                this.directory = directory;
                this.close = close;
            }

            /** The next one, opened; or that there is none. */
            int nextChild() {
                if (children == null) {
                    children = Effects.<List<byte[]>, RuntimeException>perform(
                                    "chown", root.toString(), () -> changeEntries(directory))
                            .iterator();
                }
                while (failure.get() == null && children.hasNext()) {
                    var opened = open(directory, children.next());
                    if (opened >= 0) {
                        return opened;
                    }
                }
                return NOBODY_LEFT;
            }

            void close() {
                if (close) {
                    Libc.close(rights.state(), directory);
                }
            }
        }

        /** Negative when someone has removed or replaced it meanwhile. */
        private int open(int directory, byte[] child) {
            MemorySegment.copy(child, 0, name, ValueLayout.JAVA_BYTE, 0, child.length);
            name.set(ValueLayout.JAVA_BYTE, child.length, (byte) 0);
            var opened = Libc.openat(
                    rights.state(), directory, name.address(), Libc.O_RDONLY | Libc.O_DIRECTORY | Libc.O_NOFOLLOW);
            if (opened == -Errno.ENOENT.number()
                    || opened == -Errno.ENOTDIR.number()
                    || opened == -Errno.ELOOP.number()) {
                return NOBODY_LEFT;
            }
            return Libc.check(opened, "open a directory below", root);
        }

        /** Each level is an open file; a path this long could not even be named. */
        private void requireNotTooDeep(int depth) {
            if (depth > DEPTH_LIMIT) {
                throw new SyscallException(
                        "give to group " + gid,
                        root + " (more than " + DEPTH_LIMIT + " directories one in the other)",
                        Errno.ENAMETOOLONG.number());
            }
        }

        /** Changes all entries of a directory and returns the names of the directories among them. */
        private List<byte[]> changeEntries(int directory) {
            var children = new ArrayList<byte[]>();
            long count;
            while ((count = Libc.check(
                            Libc.getdents(rights.state(), directory, listing), "list a directory below", root))
                    > 0) {
                for (long entry = 0; entry < count; ) {
                    var at = entry + NAME_IN_ENTRY;
                    if (!dots(at)) {
                        change(directory, at, children);
                    }
                    entry += Short.toUnsignedInt(listing.get(ValueLayout.JAVA_SHORT, entry + 16));
                }
            }
            return children;
        }

        private void change(int directory, long at, List<byte[]> children) {
            visited++;
            if (failure.get() != null) {
                return;
            }
            var entry = listing.address() + at;
            var found = rights.stat().read(rights.state(), directory, entry);
            if (found == -Errno.ENOENT.number() || (found == 0 && rights.stat().mountId() != mountId)) {
                return;
            }
            var result = found < 0 ? found : rights.applyFound(directory, entry);
            if (result == -Errno.ENOENT.number()) {
                return;
            }
            if (result < 0) {
                throw new SyscallException("give to group " + gid, root + "/.../" + text(at), -result);
            }
            if (rights.stat().directory()) {
                children.add(bytes(at));
            }
        }

        private boolean dots(long at) {
            if (listing.get(ValueLayout.JAVA_BYTE, at) != '.') {
                return false;
            }
            var second = listing.get(ValueLayout.JAVA_BYTE, at + 1);
            return second == 0 || (second == '.' && listing.get(ValueLayout.JAVA_BYTE, at + 2) == 0);
        }

        private byte[] bytes(long at) {
            long end = at;
            while (listing.get(ValueLayout.JAVA_BYTE, end) != 0) {
                end++;
            }
            return listing.asSlice(at, end - at).toArray(ValueLayout.JAVA_BYTE);
        }

        private String text(long at) {
            return listing.getString(at);
        }

        @Override
        public void close() {
            rights.close();
        }
    }

    private SyscallException interruption() {
        return new SyscallException("give to group " + gid, root.toString(), Errno.EINTR.number());
    }

    private void startHelper() {
        int running = helpers.get();
        if (running >= THREADS - 1 || !helpers.compareAndSet(running, running + 1)) {
            return;
        }
        var thread = Thread.ofPlatform()
                .name("group-ownership-" + running)
                .daemon()
                .unstarted(() -> {
                    try (var worker = new Worker()) {
                        worker.serve();
                    }
                });
        synchronized (threads) {
            threads.add(thread);
            thread.start();
        }
    }
}
