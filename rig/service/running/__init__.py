"""The service as a process: started, watched over, stopped; and the watcher beside it."""
