/** What CSI asks of every call, beyond what csi-sanity looks at: codes, repeats, order, concurrency, pages and roles. */
@NullMarked
package dev.stowage.conformance.rpc;

import org.jspecify.annotations.NullMarked;
