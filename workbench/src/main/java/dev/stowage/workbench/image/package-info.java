/**
 * Container images made from files, without a daemon and without a registry.
 *
 * <p>Why not Jib, which is the library for this: it cannot put symbolic links into a layer, and an image with Debian's programs and
 * libraries in it is full of them; it compresses with gzip alone; and it brings an HTTP client, a sign-in library and twenty more jars for
 * the registries that are not used here. What is left of its work, a tar archive whose bytes depend on its content alone and three
 * small JSON documents, is in {@link dev.stowage.workbench.image.TarWriter} and {@link dev.stowage.workbench.image.ImageArchive}.
 */
@NullMarked
package dev.stowage.workbench.image;

import org.jspecify.annotations.NullMarked;
