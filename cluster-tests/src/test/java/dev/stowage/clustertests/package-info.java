/** Tests in a real Kubernetes, and the JUnit extension that gives it to them. */
@NullMarked
package dev.stowage.clustertests;

import org.jspecify.annotations.NullMarked;
