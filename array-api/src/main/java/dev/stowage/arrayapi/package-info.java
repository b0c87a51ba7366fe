/**
 * A client of the REST API that VPSA arrays speak.
 *
 * <p>An answer says in its body whether the call worked; HTTP says 200 in any case. A call that was not answered may have been carried
 * out: whoever made it has to look before trying again.
 */
@NullMarked
package dev.stowage.arrayapi;

import org.jspecify.annotations.NullMarked;
