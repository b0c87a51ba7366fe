/** What stands between Kubernetes and a CSI driver, ours or anybody's, with the flags of the stock sidecars. */
@NullMarked
package dev.stowage.sidecar;

import org.jspecify.annotations.NullMarked;
