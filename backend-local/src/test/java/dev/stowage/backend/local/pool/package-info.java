@NullMarked
package dev.stowage.backend.local.pool;

import org.jspecify.annotations.NullMarked;
