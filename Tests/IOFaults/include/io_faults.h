// io_faults.c has nothing to call: it is preloaded.
