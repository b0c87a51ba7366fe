@NullMarked
package dev.stowage.backend.local.cluster.order;

import org.jspecify.annotations.NullMarked;
