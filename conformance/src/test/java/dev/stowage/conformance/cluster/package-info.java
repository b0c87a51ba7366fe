/** The local backend of many nodes: a real API server, the real controller process, and a real driver process for each node. */
@NullMarked
package dev.stowage.conformance.cluster;

import org.jspecify.annotations.NullMarked;
