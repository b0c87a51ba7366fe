// What turns group snapshots of one API version into those of another, in the test cluster.
module dev.stowage/tools/snapshot-conversion

go 1.25.0
