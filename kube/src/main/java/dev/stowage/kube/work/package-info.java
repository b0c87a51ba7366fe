/** Work on objects, one piece at a time for each and as much at once as is allowed. */
@NullMarked
package dev.stowage.kube.work;

import org.jspecify.annotations.NullMarked;
