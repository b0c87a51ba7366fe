// The first process of every pod: it does nothing, takes in the orphans of the pod, and ends when it is told to.
package main

import (
	"os"
	"os/signal"
	"syscall"
)

func main() {
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, syscall.SIGCHLD, syscall.SIGTERM, syscall.SIGINT)
	for received := range signals {
		if received != syscall.SIGCHLD {
			return
		}
		for {
			if child, _ := syscall.Wait4(-1, nil, syscall.WNOHANG, nil); child <= 0 {
				break
			}
		}
	}
}
