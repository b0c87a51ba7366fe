@NullMarked
package dev.stowage.manager.beside;

import org.jspecify.annotations.NullMarked;
