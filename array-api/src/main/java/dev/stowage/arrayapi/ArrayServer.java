package dev.stowage.arrayapi;

import java.util.Optional;

/**
 * A server record: an initiator that an array knows.
 *
 * @param address where it is, for NFS
 * @param connected whether it has a session, where the array tells
 */
public record ArrayServer(String id, String displayName, String iqn, String address, Optional<Boolean> connected) {

    static ArrayServer of(Answer answer) {
        return new ArrayServer(
                answer.text("name"),
                answer.text("display_name"),
                answer.text("iqn"),
                answer.text("iscsi"),
                answer.some("status").map("Active"::equalsIgnoreCase));
    }
}
