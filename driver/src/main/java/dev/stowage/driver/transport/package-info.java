/** gRPC over unix sockets, as server and as client. */
@NullMarked
package dev.stowage.driver.transport;

import org.jspecify.annotations.NullMarked;
