package dev.stowage.driver.http;

import com.sun.net.httpserver.HttpExchange;
import dev.stowage.core.error.StowageException;
import dev.stowage.driver.log.LogLevel;
import java.net.InetAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Shows the log level, and changes it for those who are on this machine. */
final class LogLevelPage {

    private static final Logger LOG = LoggerFactory.getLogger(LogLevelPage.class);
    private static final String PARAMETER = "level=";

    private LogLevelPage() {}

    static Reply reply(HttpExchange exchange) {
        return switch (exchange.getRequestMethod()) {
            case "GET", "HEAD" -> Reply.text(200, LogLevel.current().word());
            case "PUT" -> change(exchange);
            default -> Reply.text(405, "use GET, or PUT with ?level=debug");
        };
    }

    private static Reply change(HttpExchange exchange) {
        if (!mayChange(exchange.getRemoteAddress().getAddress())) {
            return Reply.text(
                    403, "the log level can only be changed from this machine itself, through a loopback address");
        }
        var query = exchange.getRequestURI().getQuery();
        if (query == null || !query.startsWith(PARAMETER)) {
            return Reply.text(400, "say which level: PUT /loglevel?level=debug");
        }
        LogLevel level;
        try {
            level = LogLevel.parse(query.substring(PARAMETER.length()));
        } catch (StowageException.InvalidRequest notALevel) {
            return Reply.text(400, String.valueOf(notALevel.getMessage()));
        }
        LogLevel.set(level);
        LOG.info("the log level is now {}", level.word());
        return Reply.text(200, level.word());
    }

    static boolean mayChange(InetAddress client) {
        return client.isLoopbackAddress();
    }
}
