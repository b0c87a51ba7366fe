/** Storage clients and the drivers beside them, against a real API server. Nobody runs pods here but the tests. */
@NullMarked
package dev.stowage.conformance.manager.clients;

import org.jspecify.annotations.NullMarked;
