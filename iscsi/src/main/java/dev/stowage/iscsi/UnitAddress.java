package dev.stowage.iscsi;

import dev.stowage.core.error.StowageException;

/** Where a unit is to be found. What is there now may be another unit than yesterday: that its serial number tells. */
public record UnitAddress(Iqn target, int lun) {

    private static final int LARGEST_LUN = 16383;

    public UnitAddress {
        if (lun < 0 || lun > LARGEST_LUN) {
            throw StowageException.invalid("target %s cannot have a unit with the number %d", target, lun);
        }
    }

    @Override
    public String toString() {
        return "unit " + lun + " of target " + target;
    }
}
