/**
 * Brings about what VolumeAttachments ask for, by calls to a driver.
 *
 * <p>A VolumeAttachment is a wish of Kubernetes' attach-detach controller. It is on record with a finalizer and the node's id before
 * the driver is asked to attach, and its finalizer is taken away after the driver said that the volume is detached. So whatever
 * happens in between, it is known what may be attached where.
 */
@NullMarked
package dev.stowage.sidecar.attacher;

import org.jspecify.annotations.NullMarked;
