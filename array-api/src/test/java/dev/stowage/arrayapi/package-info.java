@NullMarked
package dev.stowage.arrayapi;

import org.jspecify.annotations.NullMarked;
