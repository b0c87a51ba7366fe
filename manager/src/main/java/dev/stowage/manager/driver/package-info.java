/** What is made of a CSIDriverDeployment. Nothing here talks to anybody: the same deployment always gives the same objects. */
@NullMarked
package dev.stowage.manager.driver;

import org.jspecify.annotations.NullMarked;
