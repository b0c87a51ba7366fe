// What holds the namespaces of a pod in the test cluster.
module dev.stowage/tools/pause

go 1.25.0
