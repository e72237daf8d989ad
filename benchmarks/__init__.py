"""Speed and memory of handoffctl against the bare floor and the peers: `make bench`."""
