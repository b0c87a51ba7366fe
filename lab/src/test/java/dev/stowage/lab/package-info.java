/** Tests in a real kernel that runs as a process: what the kernel of the machine may lack, and what no machine should be exposed to. */
@NullMarked
package dev.stowage.lab;

import org.jspecify.annotations.NullMarked;
