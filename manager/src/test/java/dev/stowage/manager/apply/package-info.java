@NullMarked
package dev.stowage.manager.apply;

import org.jspecify.annotations.NullMarked;
