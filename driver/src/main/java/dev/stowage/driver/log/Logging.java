package dev.stowage.driver.log;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Sends everything that is logged in this process, by whomever, to one stream as structured lines. */
public final class Logging {

    private Logging() {}

    public static void start(LogLevel level, PrintStream out) {
        var root = Logger.getLogger("");
        for (Handler handler : root.getHandlers()) {
            root.removeHandler(handler);
        }
        root.addHandler(new LineHandler(out));
        LogLevel.set(level);
    }

    private static final class LineHandler extends Handler {

        private final PrintStream out;

        LineHandler(PrintStream out) {
            this.out = out;
            setFormatter(new LineFormatter());
        }

        @Override
        public void publish(LogRecord event) {
            if (isLoggable(event)) {
                byte[] line = getFormatter().format(event).getBytes(StandardCharsets.UTF_8);
                // One write for one line, so that lines of several threads never mix.
                out.write(line, 0, line.length);
                out.flush();
            }
        }

        @Override
        public void flush() {
            out.flush();
        }

        /** The stream is the process's own and stays open. */
        @Override
        public void close() {}
    }
}
