/** The CSI Controller service, one class for each call. */
@NullMarked
package dev.stowage.driver.controller;

import org.jspecify.annotations.NullMarked;
