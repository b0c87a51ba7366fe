package dev.stowage.linux.record;

/** Where the value of a live key lies in the file, and how many bytes the key costs there in all. */
record Place(long offset, int length, int encodedBytes) {}
